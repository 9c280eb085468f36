import LivePhotoRequests

/// A name of a command or an option that an earlier version had. It still works, with a note that says the present one.
package struct FormerName {
    /// The command that had the option.
    private let command: String
    private let option: String
    private let present: String

    private static let options: [FormerName] = [
        .init(command: "convert", option: "--live-photo-info", present: "--motion=measured"),
        .init(command: "edit", option: "--mute", present: "--no-audio"),
        .init(command: "export", option: "--mute", present: "--no-audio"),
        .init(command: "export", option: "--size", present: "--max-size"),
        .init(command: "frames", option: "--size", present: "--max-size"),
        .init(command: "frames", option: "--from", present: "--start"),
        .init(command: "frames", option: "--to", present: "--end"),
        .init(command: "pack", option: "--video-format", present: "--video-codec"),
        .init(command: "pack", option: "--keep-identifier", present: "--keep-id"),
    ]

    /// The present form of a command line.
    ///
    /// - Parameter arguments: the arguments without the program's name.
    /// - Returns: also a sentence for each former name.
    package static func replaced(in arguments: [String]) -> (arguments: [String], notes: [String]) {
        let help = arguments.first == "help" ? 1 : 0
        guard arguments.count > help else { return (arguments, []) }
        var (words, notes) = (arguments, [String]())
        let end = words.firstIndex(of: "--") ?? words.endIndex
        func note(_ old: String, _ new: String) { notes.append("'\(old)' is now '\(new)'") }
        switch words[help] {
        case "report":
            words.replaceSubrange(help...help, with: ["batch", "report"])
            note("livephoto report", "livephoto batch report")
        case "rules":
            words.replaceSubrange(help...help, with: help == 0 ? ["verify", "--explain"] : ["verify"])
            note("livephoto rules", "livephoto verify --explain")
        case "link" where words[..<end].contains(where: isUndo), "edit" where words[..<end].contains(where: isUndo):
            note("livephoto \(words[help]) --undo", "livephoto undo")
            let command = words[help]
            words[help] = "undo"
            for index in words[..<end].indices.reversed() where isUndo(words[index]) {
                let value = words[index].dropFirst("--undo".count)
                words.replaceSubrange(index...index, with: value.isEmpty ? [] : [String(value.dropFirst())])
            }
            words.insert("--only=\(command)", at: help + 1)
        case "pack": replaceAudio(in: &words, note)
        default: break
        }
        for index in words.indices.dropFirst(help + 1).prefix(while: { words[$0] != "--" }) {
            let name = String(words[index].prefix { $0 != "=" })
            guard let former = options.first(where: { $0.command == words[help] && $0.option == name }) else {
                continue
            }
            words[index] = former.present + words[index].dropFirst(name.count)
            note(name, former.present)
        }
        return (words, notes)
    }

    private static func isUndo(_ word: String) -> Bool { word == "--undo" || word.hasPrefix("--undo=") }

    /// `--audio drop` left the sound out, and `--audio aac` is what is done without it.
    private static func replaceAudio(in words: inout [String], _ note: (String, String) -> Void) {
        for (value, present) in [("drop", ["--no-audio"]), ("aac", [])] {
            if let index = words.firstIndex(of: "--audio=\(value)") {
                words.replaceSubrange(index...index, with: present)
            } else if let index = words.firstIndex(of: "--audio"), words[index...].dropFirst().first == value {
                words.replaceSubrange(index...(index + 1), with: present)
            } else {
                continue
            }
            note("--audio \(value)", present.first ?? "the default")
        }
    }
}
