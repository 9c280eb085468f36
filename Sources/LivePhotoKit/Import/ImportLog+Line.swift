import Files
import SystemPackage

extension ImportLog {
    /// A file to import as it was at some time. It has not changed as long as this is equal.
    struct FileState: Codable, Sendable, Hashable {
        let path: PathText
        let size: RecordNumber
        /// Modulo 2^64.
        let modified: Int64

        init(_ file: SourceFile) {
            (path, size) = (PathText(file.absolutePath), RecordNumber(file.size))
            modified = file.modified
        }
    }

    /// A file that was imported.
    struct Source: Codable, Sendable {
        let file: FileState
        let sha256: ContentDigest

        var path: FilePath { file.path.path }
    }

    /// A file in the library.
    struct Made: Codable, Sendable {
        /// Relative to the library.
        let path: PathText
        let size: RecordNumber
        let sha256: ContentDigest
    }

    /// An item of the library.
    struct Entry: Codable, Sendable {
        let kind: LibraryImport.Kind
        /// All of these have become the item.
        let sources: [Source]
        let files: [Made]
        let doubts: [Doubt]
        /// Other files that the doubts are about.
        let related: [PathText]
        /// Whether the files were there before, so that undoing leaves them.
        let wasFound: Bool
        /// `OutsidePairMetadata.knowledge` of the sources; nil in lines of earlier versions.
        let knowledge: Int?

        /// A line has not more of them.
        static let relatedLimit = 500
    }

    package struct Line: Codable {
        var item: Entry?
        /// A file with the same content as the source of an item.
        var copy: Source?
        /// A folder that is created in the library, which is the empty path.
        var folder: PathText?
        var verdict: Verdict?
    }
}
