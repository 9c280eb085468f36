package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file, or a part of one, open for reading at any offset. `deinit` closes it.
package final class InputFile: Sendable {
    package let path: FilePath
    /// Size in bytes when it was opened.
    package let size: Int
    package let descriptor: FileDescriptor
    /// When its content was last changed, as of opening it.
    private let modified: FileTimes.Time
    /// The offset of byte 0 in the file on the disk.
    let start: Int
    /// The file that this is a part of; it closes the descriptor.
    private let whole: InputFile?

    /// - Throws: `Errno.isDirectory` for a folder; `Errno` of open(2), fstat(2), lseek(2).
    ///
    /// - Parameter name: The path for errors, if it is another one.
    package convenience init(_ path: FilePath, named name: FilePath? = nil) throws {
        // Without .nonBlocking, opening a pipe waits for its other end. With it, seeking fails.
        try self.init(
            FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]), path: name ?? path)
    }

    /// Takes over an open file, which is closed also after an error.
    ///
    /// - Throws: As for a path, except the errors of open(2).
    package init(_ descriptor: FileDescriptor, path: FilePath) throws {
        (self.path, self.descriptor, start, whole) = (path, descriptor, 0, nil)
        do {
            let status = try descriptor.stat()
            // A folder can be opened like a file and reports a huge size.
            guard status.type != .directory else { throw Errno.isDirectory }
            modified = FileTimes.Time(status.modification)
            size = Int(try descriptor.seek(offset: 0, from: .end))
        } catch {
            try? descriptor.close()
            throw error
        }
    }

    /// What the file is now: fstat(2).
    package func status() throws(Errno) -> Stat { try Stat(descriptor) }

    /// Waits until what was written is on the disk: fsync(2).
    package func synchronize() throws(Errno) { try descriptor.synchronize() }

    /// Where another process of this user can open the file as long as this one has it open, even if it has no name: proc(5).
    package var pathForOtherProcesses: FilePath { descriptor.pathForOtherProcesses }

    /// A part of a file, such as the movie in a motion photo. Its path is that of the file.
    ///
    /// - Parameter range: Clamped to the file's size.
    package init(_ range: Range<Int>, of file: InputFile) {
        let range = range.clamped(to: 0..<file.size)
        (path, size, descriptor, modified) = (file.path, range.count, file.descriptor, file.modified)
        (start, whole) = (file.start + range.lowerBound, file)
    }

    deinit {
        if whole == nil { try? descriptor.close() }
    }

    /// Where a range of it is in the file that `descriptor` is open for.
    package func offsets(of range: Range<Int>) -> Range<Int> { start + range.lowerBound..<start + range.upperBound }

    /// Throws `FileChanged` if another program has changed the file since it was opened.
    package func checkUnchanged() throws {
        let status = try descriptor.stat()
        let isSame = FileTimes.Time(status.modification) == modified && (whole != nil || status.size == size)
        guard isSame || status.type != .regular else { throw FileChanged(path: path) }
    }

    /// Reads `count` bytes, or fewer at the end of the file.
    ///
    /// - Throws: as `read`.
    package func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        let count = min(count, max(size - offset, 0))
        guard count > 0 else { return [] }
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Reads `count` bytes, or fewer at the end, of what the file is now: lines may have been appended since it was opened.
    /// Does not check for an interruption.
    ///
    /// - Throws: `Errno` of pread(2).
    package func currentBytes(at offset: Int, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            while initialized < count {
                let read = try descriptor.read(
                    fromAbsoluteOffset: Int64(start + offset + initialized),
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[initialized..<count]))
                guard read > 0 else { return }
                initialized += read
            }
        }
    }

    /// Fills `buffer` with the bytes from `offset` on, or a part of it at the end of the file.
    ///
    /// - Returns: The number of bytes read.
    /// - Throws: `Errno` of pread(2); `FileChanged` if the file has become shorter; `CancellationError`;
    ///   `TimeLimitExceeded`.
    package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = min(buffer.count, max(size - offset, 0))
        var filled = 0
        while filled < count {
            try WorkInterruption.check()
            let end = min(filled + Self.readAtOnce, count)
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<end])
            let read = try descriptor.read(fromAbsoluteOffset: Int64(start + offset + filled), into: part)
            guard read > 0 else { throw FileChanged(path: path) }
            filled += read
        }
        return filled
    }

    /// `SEEK_DATA`, which glibc declares only with `_GNU_SOURCE`, and swift-system only on Darwin.
    #if canImport(Darwin)
        private static let nextData = FileDescriptor.SeekOrigin.nextData
    #else
        private static let nextData = FileDescriptor.SeekOrigin(rawValue: 3)
    #endif

    /// The first offset from one on that is not in a hole of the file, or the size: lseek(2). Where the file system does not
    /// know holes, the offset itself.
    package func data(from offset: Int) -> Int {
        do {
            let place = try descriptor.seek(offset: Int64(start + offset), from: Self.nextData)
            return min(max(Int(place) - start, offset), size)
        } catch {
            // There is no more data.
            return error as? Errno == .noSuchAddressOrDevice ? size : offset
        }
    }

    /// All bytes of the file.
    ///
    /// - Throws: `Errno.fileTooLarge` for more than `limit` bytes; `Errno` of pread(2).
    package func contents(limit: Int) throws -> [UInt8] {
        guard size <= limit else { throw Errno.fileTooLarge }
        return try bytes(at: 0, count: size)
    }

    /// Whether a range has the same bytes as the range of another file that begins at `place` and is as long.
    ///
    /// - Throws: `Errno` of pread(2).
    package func hasSameBytes(at range: Range<Int>, as other: InputFile, at place: Int) throws -> Bool {
        let step = 1 << 20
        for offset in stride(from: 0, to: range.count, by: step) {
            let count = min(step, range.count - offset)
            let bytes = try bytes(at: range.lowerBound + offset, count: count)
            guard try Self.areEqual(bytes, other.bytes(at: place + offset, count: count)) else { return false }
        }
        return true
    }

    /// Bytes between two checks for an interruption: a fraction of a second on a slow disk.
    private static let readAtOnce = 1 << 22

    /// Several times as fast as comparing arrays, which compares one byte at a time.
    private static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        guard first.count == second.count else { return false }
        return first.withUnsafeBytes { first in
            second.withUnsafeBytes { second in
                guard let start = first.baseAddress, let other = second.baseAddress else { return true }
                return memcmp(start, other, first.count) == 0
            }
        }
    }
}

/// Another program changed a file while it was read.
package struct FileChanged: Error, CustomStringConvertible {
    package let path: FilePath

    package init(path: FilePath) { self.path = path }

    package var description: String { "was changed by another program meanwhile; try again when that has ended" }
}

extension Stat {
    fileprivate var modification: timespec {
        #if canImport(Darwin)
            rawValue.st_mtimespec
        #else
            rawValue.st_mtim
        #endif
    }
}
