import Bytes
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
    /// - Throws: `ParseError` for a damaged archive; `Errno`.
    func open() throws -> InputFile {
        switch self {
        case .file(let file): file
        case .entry(let entry, let archive): try entry.open(in: archive)
        }
    }

    /// Its bytes, at most `limit` of them; what is larger is not unpacked.
    ///
    /// - Throws: `Errno.fileTooLarge` for a larger one; as `open`.
    func contents(limit: Int) throws -> [UInt8] {
        if case .entry(let entry, _) = self, entry.size > limit { throw Errno.fileTooLarge }
        return try open().contents(limit: limit)
    }
}

extension ZipDirectory.Entry {
    fileprivate func open(in archive: InputFile) throws -> InputFile {
        if isStored {
            // For the checksum.
            try forEach(in: archive) { _ in }
            return InputFile(try dataRange(in: archive), of: archive)
        }
        return try FileSystem.temporaryFile { output in try forEach(in: archive) { try output.write($0) } }
    }
}
