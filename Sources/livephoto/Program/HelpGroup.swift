/// The options of a command by what one wants to do, in the order of the help: those that are used most come first.
struct HelpGroup {
    let title: String
    let options: [CommandDescription.Argument]

    /// The option names of each group without dashes. Options that no group has are in the first one.
    private static let names: [(title: String, names: [String])] = [
        ("OPTIONS", []),
        (
            "MOMENT AND LENGTH",
            [
                "still", "photo", "find-still", "new-key-photo", "count", "every", "around", "suggest", "start",
                "exact", "end", "duration", "before", "after",
            ]
        ),
        (
            "OUTPUT",
            [
                "output", "in-place", "name", "as", "preset", "for", "force", "dry-run", "json", "report", "metrics",
                "columns",
                "loop", "quality", "html", "csv",
            ]
        ),
        (
            "PICTURE",
            [
                "max-size", "crop", "fill", "fit", "rotate", "flip", "straighten", "stabilize", "effect", "speed",
                "fps",
                "video-codec", "photo-format", "hdr", "tone-map", "background", "exposure", "contrast", "saturation",
                "warmth", "tint", "vignette", "sharpen", "denoise", "lut", "filter", "motion", "repeat-frames",
            ]
        ),
        ("SOUND", ["no-audio", "volume"]),
        ("METADATA", ["date", "no-location", "no-metadata", "id", "keep-id"]),
        ("RECIPES", ["recipe", "save-recipe"]),
        ("LIMITS", ["jobs", "timeout", "memory-limit", "sandbox"]),
        ("MESSAGES", ["progress", "quiet", "verbose", "log-format"]), ("HELP", ["version", "help"]),
    ]

    /// The options that most people need, in this order.
    private static let mostUsed = [
        "output", "still", "in-place", "by-name", "as", "start", "end", "duration", "preset", "max-size", "no-audio",
        "name",
        "force", "dry-run", "json",
    ]

    /// The options of one screen.
    static func mostUsed(_ count: Int, of groups: [HelpGroup]) -> [CommandDescription.Argument] {
        let options = groups.flatMap(\.options).filter { !["help", "version"].contains($0.longName) }
        let first = mostUsed.compactMap { name in options.first { $0.longName == name } }
        let rest = options.filter { !mostUsed.contains($0.longName) }
        return Array((first + rest).prefix(count))
    }

    /// - Parameter options: those to show, in any order.
    static func all(of options: [CommandDescription.Argument]) -> [HelpGroup] {
        let known = names.flatMap(\.names)
        return names.map { title, names in
            let chosen =
                names.isEmpty
                ? options.filter { !known.contains($0.longName) }
                : names.compactMap { name in options.first { $0.longName == name } }
            return HelpGroup(title: title, options: chosen)
        }.filter { !$0.options.isEmpty }
    }
}

extension CommandDescription.Argument {
    /// `output`, for an option with the names `-o` and `--output`.
    var longName: String { String((names.first { $0.hasPrefix("--") } ?? names.first ?? "").drop { $0 == "-" }) }
}
