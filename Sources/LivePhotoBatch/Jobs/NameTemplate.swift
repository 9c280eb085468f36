import LivePhotoKit
import LivePhotoRequests
import MediaModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Text with the placeholders `{stem}`, `{folder}` and `{extension}`, which are replaced by parts of the input's path.
enum NameTemplate {
    private enum Placeholder: String, CaseIterable {
        case stem, folder, `extension`

        func part(of input: FilePath) -> String {
            switch self {
            case .stem: input.stem ?? ""
            case .folder:
                // Absolute, so that the folder of `clip.mp4` or `../clip.mp4` has a name.
                FilePath(FileManager.default.currentDirectoryPath).pushing(input).lexicallyNormalized()
                    .removingLastComponent().lastComponent?.string ?? ""
            case .extension: input.extension ?? ""
            }
        }
    }

    /// - Throws: `LivePhotoError` at the node's place for an unknown placeholder.
    static func fill(_ node: YAMLNode, from input: FilePath) throws(LivePhotoError) -> String {
        var rest = try node.line()[...]
        var result = ""
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { break }
            let word = String(rest[rest.index(after: open)..<close])
            guard let placeholder = Placeholder(rawValue: word) else {
                let known = alternatives(Placeholder.allCases.map { "{\($0.rawValue)}" }, "or")
                throw node.valueError(.invalidValue, "\(quoted("{\(word)}")) is not a placeholder; use \(known)")
            }
            result += rest[..<open] + placeholder.part(of: input)
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
