import ArgumentParser

struct LivephotoCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "livephoto",
        abstract: "Turn any clip into an Apple Live Photo: a key photo and its paired video.",
        subcommands: groups.flatMap(\.commands) + [CompletionsCommand.self, ManualCommand.self])

    /// The commands by what one wants to do, in the order of the help.
    static let groups: [(title: String, commands: [any ParsableCommand.Type])] = [
        ("MAKE LIVE PHOTOS", [ConvertCommand.self, StudioCommand.self, BatchCommand.self]),
        ("CHOOSE THE MOMENT AND THE SETTINGS", [FramesCommand.self, PresetsCommand.self]),
        ("CHECK", [VerifyCommand.self, InspectCommand.self]),
        ("CHANGE", [EditCommand.self, LinkCommand.self, UnlinkCommand.self, UndoCommand.self]),
        ("MOVE BETWEEN PHONES AND FILES", [ImportCommand.self, ExtractCommand.self, PackCommand.self]),
        ("SHOW AND SHARE", [ShareCommand.self, PreviewCommand.self, ExportCommand.self]),
        ("THIS PROGRAM", [DoctorCommand.self]),
    ]

    static let examples = [
        "livephoto convert beach.mp4",
        "livephoto convert beach.mp4 --still 2.5 --output ~/LivePhotos",
    ]

    @Flag(help: "Show the version and the commit; with --verbose, also the versions of the libraries.")
    var version = false
}
