package import Bytes
import Files
package import SystemPackage

/// The data of a request, complete.
package enum RequestBody: Sendable {
    /// The method has none.
    case none
    case bytes([UInt8])
    /// The file of an `Upload`, written and closed, with its size in bytes. It belongs to the site from now on.
    case file(FilePath, count: Int)
}

/// What a site does with the data of a request, which it decides by the header alone.
package enum AcceptedBody: Sendable {
    /// It is kept in memory, if it has at most so many bytes.
    case bytes(limit: Int)
    /// It is written to a file while it comes.
    case upload(Upload)
    /// It is not read, and this is the answer.
    case refused(Response)

    /// For texts and orders: up to 1 MB in memory.
    package static let small = AcceptedBody.bytes(limit: 1 << 20)
}

/// Where the data of one request is written while it comes.
///
/// Of every upload that a site returns, either the request is answered, with the complete file as its body, or `discard` is
/// called; never both, and never neither.
package struct Upload: Sendable {
    /// The most that is accepted, in bytes.
    package let limit: Int
    /// Creates the empty file. Called at most once.
    package let create: @Sendable () throws -> OutputFile
    /// Removes the file. Called with the reason if the data does not arrive or cannot be written; without a path if no file was
    /// created.
    package let discard: @Sendable (FilePath?, BodyFailure) -> Void

    /// An upload with its own way to create and remove the file. Both are called on a thread that may block.
    package init(
        limit: Int, create: @escaping @Sendable () throws -> OutputFile,
        discard: @escaping @Sendable (FilePath?, BodyFailure) -> Void
    ) {
        (self.limit, self.create, self.discard) = (limit, create, discard)
    }

    /// An upload to a new file that only this user can read.
    ///
    /// - Parameters:
    ///   - path: must not exist; made of nothing that a client wrote.
    ///   - limit: in bytes.
    package init(to path: FilePath, limit: Int) {
        self.init(
            limit: limit, create: { try OutputFile(creating: path, permissions: .ownerReadWrite) },
            discard: { path, _ in if let path { try? FileSystem.removeFile(path) } })
    }
}

/// Why the data of a request is not complete.
package enum BodyFailure: Error {
    /// It is larger than this, in bytes.
    case tooLarge(limit: Int)
    /// The client has left, stalled, or sent what is no HTTP.
    case incomplete
    /// The file cannot be created or written.
    case notWritten(any Error)

    /// Whether the cause is that the disk has no space, or none for this user, or cannot have files of this size.
    var isFullDisk: Bool {
        guard case .notWritten(let error) = self else { return false }
        let cause = (error as? Errno) ?? (error as? LivePhotoError)?.cause as? Errno
        return [.noSpace, .diskQuotaExceeded, .fileTooLarge].contains(cause)
    }
}
