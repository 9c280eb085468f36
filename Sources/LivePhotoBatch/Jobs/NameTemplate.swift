import LivePhotoKit
import LivePhotoRequests
import MediaModel
package import SystemPackage

/// Text with placeholders, which are replaced by what is known of an input: `{stem}`, `{folder}` and `{extension}` are parts
/// of its path, `{index}` is its number, and `{date:%Y-%m-%d}` is when it was recorded.
package struct NameTemplate: Sendable {
    private enum Piece: Sendable {
        case text(String)
        case stem, folder, `extension`, index
        case date(DateFolders)

        /// - Parameter word: Between the braces.
        init?(_ word: Substring) {
            switch word {
            case "stem": self = .stem
            case "folder": self = .folder
            case "extension": self = .extension
            case "index": self = .index
            case "date": self.init("date:%Y-%m-%d")
            default:
                guard word.hasPrefix("date:"), !word.contains("/"),
                    let pattern = DateFolders(String(word.dropFirst("date:".count)))
                else { return nil }
                self = .date(pattern)
            }
        }
    }

    private var pieces: [Piece] = []

    /// - Throws: `LivePhotoError` without a file for an unknown placeholder.
    package init(_ text: String) throws(LivePhotoError) {
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { break }
            let word = rest[rest.index(after: open)..<close]
            guard let piece = Piece(word) else {
                throw LivePhotoError(
                    .invalidRequest, nil,
                    "\(quoted("{\(word)}")) is not a placeholder; use {stem}, {folder}, {extension}, {index} or "
                        + "{date:%Y-%m-%d}")
            }
            pieces += [.text(String(rest[..<open])), piece]
            rest = rest[rest.index(after: close)...]
        }
        pieces.append(.text(String(rest)))
    }

    /// Whether each input gets a text of its own.
    package var hasPlaceholders: Bool { pieces.contains { if case .text = $0 { false } else { true } } }
    /// Whether the number of the input is in the text.
    package var hasIndex: Bool { pieces.contains { if case .index = $0 { true } else { false } } }

    /// - Parameter index: Counted from 1.
    /// - Throws: `LivePhotoError` if the date is needed and the input has none.
    package func text(for input: FilePath, index: Int) throws(LivePhotoError) -> String {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let part): text += part
            case .stem: text += input.stem ?? ""
            case .folder:
                // Absolute, so that the folder of `clip.mp4` or `../clip.mp4` has a name.
                text +=
                    CurrentProcess.folder.pushing(input).lexicallyNormalized().removingLastComponent().lastComponent?
                    .string ?? ""
            case .extension: text += input.extension ?? ""
            case .index: text += "\(index)"
            case .date(let pattern): text += pattern.folder(for: try Self.date(of: input)).string
            }
        }
        return text
    }

    private static func date(of input: FilePath) throws(LivePhotoError) -> CaptureDate {
        if let date = CaptureDate(ofFile: input) { return date }
        guard FileSystem.exists(input) else { throw LivePhotoError(reading: input, Errno.noSuchFileOrDirectory) }
        throw LivePhotoError(
            .invalidRequest, input,
            "has no date for {date}: neither a MOV or MP4 with one, nor a sidecar or a name that says it")
    }
}
