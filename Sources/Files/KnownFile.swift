package import Bytes
package import SystemPackage

/// A file as it was when it was listed. Opened again later, it is the same, or that is an error.
package struct KnownFile: Sendable, Hashable {
    package let path: FilePath
    /// In bytes.
    package let size: Int
    private let identity: FileIdentity
    private let modified: FileTimes.Time

    /// - Throws: `Errno` of fstat(2).
    package init(_ file: InputFile) throws {
        (path, size) = (file.path, file.size)
        let status = try file.status()
        (identity, modified) = (FileIdentity(status), FileTimes(status).modification)
    }

    /// A text that changes with the file, also if its size stays.
    package var version: String { "\(size) \(modified.nanosecondsSince1970)" }

    /// - Throws: `Errno` of open(2); `FileChanged`.
    package func open() throws -> InputFile {
        let file = try InputFile(path)
        guard try KnownFile(file) == self else { throw FileChanged(path: path) }
        return file
    }
}
