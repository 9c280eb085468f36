import LivePhotoRequests
import MediaModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A text in which `{stem}`, `{folder}` and `{extension}` stand for parts of the input's path, so that one line of a job
/// file can name the pairs of many clips.
enum NameTemplate {
    private enum Placeholder: String, CaseIterable {
        case stem, folder, `extension`

        func part(of input: FilePath) -> String {
            switch self {
            case .stem: input.stem ?? ""
            case .folder: Self.folder(of: input).lastComponent?.string ?? ""
            case .extension: input.extension ?? ""
            }
        }

        /// Whole, so that it has a name also for `clip.mp4` and `../clip.mp4`.
        private static func folder(of input: FilePath) -> FilePath {
            FilePath(FileManager.default.currentDirectoryPath).pushing(input).lexicallyNormalized()
                .removingLastComponent()
        }
    }

    /// - Throws: `ConfigurationError` at the node's place for what is no placeholder.
    static func fill(_ node: YAMLNode, from input: FilePath) throws(ConfigurationError) -> String {
        var rest = try node.line()[...]
        var result = ""
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { break }
            let word = String(rest[rest.index(after: open)..<close])
            guard let placeholder = Placeholder(rawValue: word) else {
                let known = alternatives(Placeholder.allCases.map { "{\($0.rawValue)}" }, "and")
                throw node.valueError(.invalidValue, "\(quoted("{\(word)}")) stands for nothing; there are \(known)")
            }
            result += rest[..<open] + placeholder.part(of: input)
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
