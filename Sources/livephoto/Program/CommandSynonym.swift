import LivePhotoKit

/// Words that users of other programs write for a command, and what this program has for the purpose.
package struct CommandSynonym: Sendable {
    package let words: [String]
    /// The names of the command: `presets`, `show`.
    package let command: [String]
    /// The names of the command after which the words are written.
    private let place: [String]
    /// The end of a sentence: `to make a Live Photo from a clip`.
    private let purpose: String

    /// - Parameter place: nil for the place of the command itself.
    private init(_ words: String, _ command: String, _ purpose: String, after place: String? = nil) {
        self.words = words.split(separator: " ").map { String($0) }
        self.command = command.split(separator: " ").map { String($0) }
        self.place =
            place?.split(separator: " ").map { String($0) } ?? self.command.dropLast()
        self.purpose = purpose
    }

    package static let all: [Self] = [
        Self("make create new encode transcode render generate produce", "convert", "to make a Live Photo from a clip"),
        Self(
            "sheet contact-sheet contactsheet thumbnails thumbs stills suggest best pick choose", "frames",
            "to show frames of a clip with their times"),
        Self("run jobs many queue", "batch", "to convert the clips that a job file lists"),
        Self("results status summary", "batch report", "to show the results of a batch", after: ""),
        Self("revert restore rollback", "undo", "to undo changes in place"),
        Self("info probe show identify metadata exif dump print cat ls list", "inspect", "to show what is in a file"),
        Self("check validate test lint audit", "verify", "to check Live Photos"),
        Self("join merge pair combine connect repair fix", "link", "to link a photo and a movie"),
        Self("split separate detach strip break unpair", "unlink", "to get a plain photo and a plain movie"),
        Self(
            "trim cut mute crop change modify adjust keyphoto key-photo", "edit",
            "to change the still time, length or sound of Live Photos"),
        Self("unpack unzip demux", "extract", "to get Live Photos out of motion photos and other single files"),
        Self(
            "takeout migrate organize library dedupe", "import",
            "to make one library of an export or of a phone's folders"),
        Self("zip bundle wrap mux", "pack", "to write each Live Photo as one file"),
        Self(
            "send serve server airdrop transfer upload qr phone localsend", "share",
            "to send Live Photos to a phone in the same network"),
        Self("gui window app browser ui web desktop editor", "studio", "to make Live Photos in a browser window"),
        Self("save gif video", "export", "to write Live Photos as videos, animations or pictures"),
        Self("play view watch gallery page html open", "preview", "to make a page that plays Live Photos"),
        Self("settings options profiles config", "presets", "to list the presets"),
        Self("version ver", "--version", "to print the version"),
        Self("diagnose diagnostics env environment setup about", "doctor", "to show what is installed"),
        Self("completion complete autocomplete", "completions", "to complete commands in a shell"),
        Self("view print cat dump get export", "presets show", "to print a preset"),
        Self("validate verify test lint", "presets check", "to check a preset"),
        Self("ls all", "presets list", "to list the presets"),
    ]

    /// - Parameter names: of the command that `word` follows; empty for the program.
    static func advice(on word: String, in names: [String]) -> String? {
        let word = word.lowercased()
        guard let synonym = all.first(where: { $0.place == names && $0.words.contains(word) }) else {
            return nil
        }
        return "use 'livephoto \(synonym.command.joined(separator: " "))' \(synonym.purpose)"
    }

    /// How to use a file that was given in place of a command; nil if `word` is no file by its form.
    static func advice(onFile word: String) -> String? {
        guard word.contains(".") || word.contains("/") else { return nil }
        let kind = FilePath(word).extension?.lowercased() ?? ""
        if FileTree.photoExtensions.contains(kind) {
            return "to link a photo and a movie: livephoto link PHOTO MOVIE"
        }
        if FileTree.archiveExtensions.contains(kind) || kind == "pvt" {
            return "to extract a Live Photo: livephoto extract FILE"
        }
        return "to convert a clip: livephoto convert CLIP"
    }
}
