import LivePhotoKit
import LivePhotoRequests

/// Where `export` writes, as given by --output: a folder, or a name with the extension of the format.
struct ExportPlace {
    let output: String
    let format: ExportFormat
    /// Whether there is only one pair.
    let isSingle: Bool

    /// The file or folder that is written.
    ///
    /// - Throws: `UsageError` for an empty text, and for the extension of another format.
    func target(for source: LivePhotoSource) throws(UsageError) -> FilePath {
        let path = try OutputPlace.path(output)
        let isExisting = path.isFolderOfFiles
        guard let ending = format.fileExtension else {
            let kind = path.extension?.lowercased() ?? ""
            if !isExisting, OutputPlace.isMedia(kind) || Self.others.contains(kind) {
                throw UsageError("--output: frames go into a folder; \(quoted(output)) is the name of a file")
            }
            // A folder of frames is named by --output, unless it is to go into an existing folder.
            guard isExisting || !isSingle else { return path }
            return path.appending(source.stem.appending("-frames"))
        }
        let kind = path.extension?.lowercased() ?? ""
        let isNamed = !isExisting && !output.hasSuffix("/") && (OutputPlace.isMedia(kind) || Self.others.contains(kind))
        guard isNamed else { return path.appending(source.stem.appending(".\(ending)")) }
        guard isSingle else {
            throw UsageError("--output: \(quoted(output)) is the name of a file; several pairs need a folder")
        }
        guard format.extensions.contains(kind) else {
            var right = path
            right.extension = ending
            throw UsageError(
                "--output: \(quoted(output)) does not have the extension of \(format.rawValue); write \(quoted(right.string))"
            )
        }
        return path
    }

    /// Extensions of files besides those of `OutputPlace`.
    private static let others: Set<String> = ["gif", "webp", "avif"]
}

extension ExportFormat {
    /// The extensions that a file of this format may have, in lower case.
    var extensions: Set<String> {
        switch self {
        case .mp4: ["mp4", "m4v"]
        case .gif, .webp, .avif: [rawValue]
        case .jpeg: ["jpg", "jpeg", "jpe"]
        case .frames: []
        }
    }
}
