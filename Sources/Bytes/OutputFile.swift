package import SystemPackage

/// A file that is written sequentially through a buffer.
package final class OutputFile {
    package let path: FilePath
    private let descriptor: FileDescriptor
    private var buffer: [UInt8] = []
    private var written = 0
    private var isOpen = true
    private static let bufferSize = 1 << 18
    /// Bytes copied by one call through memory.
    private static let copiedAtOnce = 1 << 20
    private static let copiedAtOnceInKernel = 1 << 26
    /// The alignment at which Linux copies fastest; a multiple of the blocks that file systems share between files.
    package static let blockSize = 1 << 16
    /// Minimum size at which block alignment pays off.
    package static let sharedSize = 1 << 24

    /// - Throws: `Errno` of open(2); `.fileExists` for an existing file.
    package init(
        creating path: FilePath, permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
    ) throws {
        self.path = path
        descriptor = try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: permissions)
        buffer.reserveCapacity(Self.bufferSize)
    }

    /// Takes over a new empty file that is open for reading and writing.
    package init(_ descriptor: FileDescriptor, path: FilePath) {
        (self.path, self.descriptor) = (path, descriptor)
        buffer.reserveCapacity(Self.bufferSize)
    }

    /// Truncates a file and writes it from the start.
    ///
    /// - Throws: `Errno` of dup(2), lseek(2), ftruncate(2).
    package init(rewriting file: WritableFile) throws {
        path = file.path
        descriptor = try file.descriptor.duplicate()
        buffer.reserveCapacity(Self.bufferSize)
        try descriptor.seek(offset: 0, from: .start)
        try descriptor.resize(to: 0)
    }

    /// Creates a file, writes it with `body` and closes it. After an error, the caller removes the file.
    ///
    /// - Throws: as `init(creating:)` and `close`; errors of `body`.
    package static func write(_ path: FilePath, _ body: (OutputFile) throws -> Void) throws {
        let file = try OutputFile(creating: path)
        try body(file)
        try file.close()
    }

    deinit {
        if isOpen { try? descriptor.close() }
    }

    /// Writes the buffer and closes the file. With a quota or on NFS, failed writes may be reported only by close(2), which
    /// `deinit` would ignore.
    package func close() throws {
        try flush()
        isOpen = false
        try descriptor.close()
    }

    /// The offset of the next byte.
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

    /// Appends a part of another file. The kernel copies it if it can, and shares blocks between the files if the file
    /// system supports that and the part has the same alignment in both.
    ///
    /// - Throws: `ParseError` if that file is too short; `Errno` of copy_file_range(2), pread(2), write(2);
    ///   `FileChanged`; `CancellationError`; `TimeLimitExceeded`.
    package func write(_ range: Range<Int>, of file: InputFile) throws {
        try flush()
        var offset = range.lowerBound
        while offset < range.upperBound {
            try WorkInterruption.check()
            let left = range.upperBound - offset
            let place = file.start + offset
            let beforeBlock = (Self.blockSize - place % Self.blockSize) % Self.blockSize
            let canShare = left >= Self.sharedSize && (place - written) % Self.blockSize == 0
            // Only complete blocks are shared; the bytes before and after them are copied.
            let inMemory = canShare && beforeBlock > 0 ? beforeBlock : min(left, Self.copiedAtOnce)
            let inKernel = canShare ? left / Self.blockSize * Self.blockSize : left
            if !canShare || beforeBlock == 0,
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

    /// The free space of the disk for ordinary users, in bytes; nil if unknown.
    var freeSpace: Int? { FreeSpace.bytes(of: descriptor) }

    /// Whether the file system shares blocks of this file with those of a part of another one, so that a copy needs no space.
    ///
    /// - Throws: `Errno` of lseek(2), ftruncate(2).
    func sharesBlocks(_ range: Range<Int>, of file: InputFile) throws -> Bool {
        let place = file.start + range.lowerBound
        let block = (place + Self.blockSize - 1) / Self.blockSize * Self.blockSize
        guard range.count >= Self.sharedSize, written == 0, buffer.isEmpty else { return false }
        let isShared = descriptor.share(block..<block + Self.blockSize, of: file.descriptor)
        try descriptor.resize(to: 0)
        return isShared
    }

    /// Overwrites bytes that are already written.
    package func overwrite(at offset: Int, with bytes: [UInt8]) throws {
        try flush()
        try descriptor.writeAll(toAbsoluteOffset: Int64(offset), bytes)
    }

    /// Writes the buffer and waits until everything is on the disk (fsync(2)).
    package func synchronize() throws {
        try flush()
        try descriptor.synchronize()
    }

    /// Writes the buffer to the file.
    package func flush() throws {
        guard !buffer.isEmpty else { return }
        written += try descriptor.writeAll(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
