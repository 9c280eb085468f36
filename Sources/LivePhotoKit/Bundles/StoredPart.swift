import Bytes
import MediaModel
import StillImage
import SystemPackage

/// A photo or a movie in a container.
enum StoredPart: Sendable {
    /// A file, or the part of a motion photo that is its movie.
    case file(InputFile)
    case entry(ZipDirectory.Entry, InputFile)

    /// The file that contains it.
    var path: FilePath {
        switch self {
        case .file(let file), .entry(_, let file): file.path
        }
    }

    /// Opens its bytes as a file. Only compressed bytes are copied.
    ///
    /// - Parameter folder: Where they are unpacked, to an unnamed file.
    /// - Throws: `ParseError` for a damaged archive; `Errno`.
    func open(unpackingIn folder: FilePath) throws -> InputFile {
        switch self {
        case .file(let file): return file
        case .entry(let entry, let archive) where entry.isStored:
            // This verifies the checksum.
            try entry.forEach(in: archive) { _ in }
            return InputFile(try entry.dataRange(in: archive), of: archive)
        case .entry(let entry, let archive):
            return try FileSystem.temporaryFile(in: folder, size: entry.size) { output in
                try entry.forEach(in: archive) { try output.write($0) }
            }
        }
    }

    /// - Throws: as `open`; `Errno` of writing.
    func write(to output: OutputFile) throws {
        switch self {
        case .file(let file): try FilePieces(file).write(to: output)
        case .entry(let entry, let archive): try entry.forEach(in: archive) { try output.write($0) }
        }
    }

    /// The bytes of a photo. Entries that are too large or do not begin like a photo are not unpacked.
    ///
    /// - Throws: `Errno.fileTooLarge` for more than `limit` bytes; `LivePhotoError` if it is no photo; as `open`.
    func photo(limit: Int) throws -> [UInt8] {
        switch self {
        case .file(let file): return try file.contents(limit: limit)
        case .entry(let entry, let archive):
            guard entry.size <= limit else { throw Errno.fileTooLarge }
            var bytes: [UInt8] = []
            try entry.forEach(in: archive) { piece in
                if bytes.isEmpty, PhotoMetadata.Format(of: piece) == nil {
                    throw LivePhotoError(.unusableMedia, path, "holds \(quoted(entry.name)), which is not a photo")
                }
                if bytes.isEmpty { bytes.reserveCapacity(entry.size) }
                bytes += piece
            }
            return bytes
        }
    }
}
