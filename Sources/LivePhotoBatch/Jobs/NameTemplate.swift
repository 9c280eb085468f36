import LivePhotoKit
import LivePhotoRequests
import MediaModel

/// A text with the placeholders `{stem}`, `{folder}` and `{extension}` for parts of the input's path.
enum NameTemplate {
    private enum Placeholder: String, CaseIterable {
        case stem, folder, `extension`

        func part(of input: FilePath) -> String {
            switch self {
            case .stem: input.stem ?? ""
            case .folder:
                // Relative paths such as `clip.mp4` and `../clip.mp4` need the working directory.
                CurrentProcess.folder.pushing(input).lexicallyNormalized().folder.lastComponent?.string ?? ""
            case .extension: input.extension ?? ""
            }
        }
    }

    /// Replaces the placeholders of a job's value.
    ///
    /// - Throws: `LivePhotoError` for an unknown placeholder.
    static func fill(_ node: YAMLNode, from input: FilePath) throws(LivePhotoError) -> String {
        var rest = try node.line()[...]
        var result = ""
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { break }
            let word = String(rest[rest.index(after: open)..<close])
            guard let placeholder = Placeholder(rawValue: word) else {
                let known = alternatives(Placeholder.allCases.map { "{\($0.rawValue)}" }, "and")
                throw node.valueError(.invalidValue, "\(quoted("{\(word)}")) is not a placeholder; there are \(known)")
            }
            result += rest[..<open] + placeholder.part(of: input)
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
