package import SystemPackage

/// A file that is written from start to end through a buffer. `close` reports what a silent close on release would not.
package final class OutputFile {
    package let path: FilePath
    private let descriptor: FileDescriptor
    private var buffer: [UInt8] = []
    private var written = 0
    private var isOpen = true
    private static let bufferSize = 1 << 18
    /// Bytes copied by one call: where they go through memory, they take so much of it.
    private static let copiedAtOnce = 1 << 20
    private static let copiedAtOnceInKernel = 1 << 26
    /// Linux copies in pieces of this size, fastest where they begin at multiples of it; a multiple of the blocks that file
    /// systems share between files.
    package static let blockSize = 1 << 16
    /// From so many bytes on it is worth while to see to it.
    package static let sharedSize = 1 << 24

    /// Creates the file.
    ///
    /// - Throws: `Errno.fileExists` when there is one already; `Errno` of open(2).
    package init(
        creating path: FilePath, permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
    ) throws {
        self.path = path
        descriptor = try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: permissions)
        buffer.reserveCapacity(Self.bufferSize)
    }

    /// Truncates a file and writes it from its start.
    ///
    /// - Throws: `Errno` of dup(2), lseek(2), ftruncate(2).
    package init(rewriting file: WritableFile) throws {
        path = file.path
        descriptor = try file.descriptor.duplicate()
        buffer.reserveCapacity(Self.bufferSize)
        try descriptor.seek(offset: 0, from: .start)
        try descriptor.resize(to: 0)
    }

    /// Creates a file and closes it once `body` has written it. The caller removes it if that fails.
    ///
    /// - Throws: as `init(creating:)` and `close`; what `body` throws.
    package static func write(_ path: FilePath, _ body: (OutputFile) throws -> Void) throws {
        let file = try OutputFile(creating: path)
        try body(file)
        try file.close()
    }

    deinit {
        if isOpen { try? descriptor.close() }
    }

    /// Writes what is buffered and closes the file, which may fail: with a quota or on NFS, close(2) is where a failed write
    /// shows. Nothing can be written afterwards.
    package func close() throws {
        try flush()
        isOpen = false
        try descriptor.close()
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

    /// Adds a part of another file, which does not go through memory where the system can copy it. Where it stands here as
    /// it does there to the file systems' blocks, and they can share blocks, it takes no room either.
    ///
    /// - Throws: `ParseError` when that file ends before; `Errno` of copy_file_range(2), pread(2), write(2);
    ///   `CancellationError` between two pieces.
    package func write(_ range: Range<Int>, of file: InputFile) throws {
        try flush()
        var offset = range.lowerBound
        while offset < range.upperBound {
            try Task.checkCancellation()
            let left = range.upperBound - offset
            let place = file.start + offset
            let beforeBlock = (Self.blockSize - place % Self.blockSize) % Self.blockSize
            let isAlike = left >= Self.sharedSize && (place - written) % Self.blockSize == 0
            // Only whole blocks are shared; the rest goes before and behind them.
            let inMemory = isAlike && beforeBlock > 0 ? beforeBlock : min(left, Self.copiedAtOnce)
            let inKernel = isAlike ? left / Self.blockSize * Self.blockSize : left
            if !isAlike || beforeBlock == 0,
                let count = try descriptor.copyRange(
                    at: place, count: min(inKernel, Self.copiedAtOnceInKernel), of: file.descriptor)
            {
                written += count
                offset += count
                continue
            }
            let bytes = try file.bytes(at: offset, count: inMemory)
            guard !bytes.isEmpty else {
                throw ParseError(.truncated, in: "file", at: offset, expected: "\(left) more bytes, found none")
            }
            written += try descriptor.writeAll(bytes)
            offset += bytes.count
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

    /// Writes what is buffered, so that who reads the file finds it.
    package func flush() throws {
        guard !buffer.isEmpty else { return }
        written += try descriptor.writeAll(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
