package import SystemPackage

/// A new file, written from start to end through a buffer; closes it when it goes away.
package final class OutputFile {
    package let path: FilePath
    private let descriptor: FileDescriptor
    private var buffer: [UInt8] = []
    private var written = 0
    private static let bufferSize = 1 << 18

    /// Creates the file.
    ///
    /// - Throws: `Errno.fileExists` when there is one already; `Errno` of open(2).
    package init(creating path: FilePath) throws {
        self.path = path
        descriptor = try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: [.ownerReadWrite, .groupRead, .otherRead])
        buffer.reserveCapacity(Self.bufferSize)
    }

    deinit {
        try? descriptor.close()
    }

    /// Where the next byte will stand.
    package var position: Int { written + buffer.count }

    /// - Throws: `Errno` of write(2), such as `.noSpace`.
    package func write(_ bytes: some Collection<UInt8>) throws {
        if buffer.count + bytes.count > Self.bufferSize { try flush() }
        if bytes.count >= Self.bufferSize {
            written += try descriptor.writeAll(bytes)
        } else {
            buffer.append(contentsOf: bytes)
        }
    }

    /// Overwrites bytes that are already written.
    package func overwrite(at offset: Int, with bytes: [UInt8]) throws {
        try flush()
        try descriptor.writeAll(toAbsoluteOffset: Int64(offset), bytes)
    }

    /// Writes what is buffered and waits until the disk has all of it (fsync(2)).
    package func synchronize() throws {
        try flush()
        try descriptor.synchronize()
    }

    private func flush() throws {
        guard !buffer.isEmpty else { return }
        written += try descriptor.writeAll(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
