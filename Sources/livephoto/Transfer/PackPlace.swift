import LivePhotoKit
import LivePhotoRequests

/// Where `pack` writes a file, as given by --output: a folder, or a name with the extension of the format.
struct PackPlace {
    let output: String
    let format: PairContainer.Format

    /// The container that is written.
    ///
    /// - Throws: `UsageError` for an empty text, and for the extension of another format.
    func target(for photo: FilePath, _ transfer: PairTransfer) throws -> FilePath {
        var path = try OutputPlace.path(output)
        let kind = path.extension?.lowercased() ?? ""
        // Shells complete the name of a .pvt, which is a folder, with a slash.
        let isFolder = path.isFolderOfFiles || output.hasSuffix("/") && !(format == .pvt && kind == "pvt")
        // The transfer reads the photo again and reports its errors.
        guard let name = try? transfer.name(of: photo, as: format) else { return path }
        if isFolder || !(Self.containers.contains(kind) || OutputPlace.isMedia(kind)) { return path.appending(name) }
        let ending = try transfer.ending(of: photo, as: format)
        if ([ending.usual] + ending.others).contains(kind) { return path }
        path.extension = ending.usual
        throw UsageError("--output: the file will be \(ending.name); write \(quoted(path.string))")
    }

    /// One archive with the pairs of folders, which has the name of the first folder.
    ///
    /// - Throws: `UsageError` for an empty text, and for the extension of another format.
    func archive(of folders: [FilePath]) throws -> FilePath {
        var path = try OutputPlace.path(output)
        let kind = path.extension?.lowercased() ?? ""
        guard
            path.isFolderOfFiles || output.hasSuffix("/")
                || !(Self.containers.contains(kind) || OutputPlace.isMedia(kind))
        else {
            if kind == "zip" { return path }
            path.extension = format.rawValue
            throw UsageError("--output: the file will be a .\(format.rawValue); write \(quoted(path.string))")
        }
        let folder = folders.first.map { CurrentProcess.folder.pushing($0).lexicallyNormalized() }
        let name = folder?.lastComponent?.string ?? "Live Photos"
        return path.file(FilePath.Component("\(name).\(format.rawValue)") ?? "photos.pvt.zip")
    }

    private static let containers: Set<String> = ["avif", "livp", "pvt", "zip"]
}
