extension Rule {
    /// The catalogue: every rule, in the order in which a person wants to read of them.
    public static let all = photoRules + movieRules + stillTimeRules + pairRules + folderRules

    /// A text out of a file as it may be shown: no control characters, and not endless.
    static func shown(_ text: String) -> String {
        let visible = text.unicodeScalars.prefix(60).map {
            $0.properties.generalCategory == .control ? "?" : String($0)
        }
        return "'\(visible.joined())\(text.unicodeScalars.count > 60 ? "…" : "")'"
    }
}
