import Bytes
import MediaModel
import StillImage
import SystemPackage

/// A photo or a movie as a container holds it.
enum StoredPart: Sendable {
    /// Or a part of one: the movie in a motion photo.
    case file(InputFile)
    case entry(ZipDirectory.Entry, InputFile)

    /// The file that it stands in.
    var path: FilePath {
        switch self {
        case .file(let file), .entry(_, let file): file.path
        }
    }

    /// Its bytes as a file, which are not copied for it unless they are packed.
    ///
    /// - Parameter folder: where they are unpacked, to a file without a name; nil for the folder for temporary files.
    /// - Throws: `ParseError` for a damaged archive; `Errno`.
    func open(unpackingIn folder: FilePath?) throws -> InputFile {
        switch self {
        case .file(let file): file
        case .entry(let entry, let archive): try entry.open(in: archive, unpackingIn: folder)
        }
    }

    /// Writes its bytes to a file.
    ///
    /// - Throws: as `open`; `Errno` of writing.
    func write(to output: OutputFile) throws {
        switch self {
        case .file(let file): try FilePieces(file).write(to: output)
        case .entry(let entry, let archive): try entry.forEach(in: archive) { try output.write($0) }
        }
    }

    /// The bytes of a photo, at most `limit` of them; what is larger is not unpacked, and what begins as no photo does is
    /// not read further.
    ///
    /// - Throws: `Errno.fileTooLarge` for a larger one; `LivePhotoError` for no photo; as `open`.
    func photo(limit: Int) throws -> [UInt8] {
        switch self {
        case .file(let file): return try file.contents(limit: limit)
        case .entry(let entry, let archive):
            guard entry.size <= limit else { throw Errno.fileTooLarge }
            var bytes: [UInt8] = []
            try entry.forEach(in: archive) { piece in
                if bytes.isEmpty, PhotoMetadata.Format(of: piece) == nil {
                    throw LivePhotoError(.unusableMedia, path, "holds \(quoted(entry.name)), which is no photo")
                }
                if bytes.isEmpty { bytes.reserveCapacity(entry.size) }
                bytes += piece
            }
            return bytes
        }
    }
}

extension ZipDirectory.Entry {
    fileprivate func open(in archive: InputFile, unpackingIn folder: FilePath?) throws -> InputFile {
        if isStored {
            // For the checksum.
            try forEach(in: archive) { _ in }
            return InputFile(try dataRange(in: archive), of: archive)
        }
        return try FileSystem.temporaryFile(in: folder, size: size) { output in
            try forEach(in: archive) { try output.write($0) }
        }
    }
}
