package import SystemPackage

/// A file, or a part of one, open for reading at any place; closes it when it goes away.
///
/// Only the ranges asked for are read, so that a movie's `moov` costs nothing of its `mdat`.
package final class InputFile: Sendable {
    package let path: FilePath
    /// Size in bytes when it was opened.
    package let size: Int
    let descriptor: FileDescriptor
    /// Where in the file on the disk byte 0 stands.
    let start: Int
    /// Of what this is a part; closes the descriptor.
    private let whole: InputFile?

    /// - Throws: `Errno.isDirectory` for a folder; `Errno` of open(2), fstat(2), lseek(2).
    package init(_ path: FilePath) throws {
        self.path = path
        (start, whole) = (0, nil)
        // A pipe would else wait for its other end; it then fails to seek.
        descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        do {
            // A folder opens as a file does, and claims an endless size.
            guard try descriptor.stat().type != .directory else { throw Errno.isDirectory }
            size = Int(try descriptor.seek(offset: 0, from: .end))
        } catch {
            try? descriptor.close()
            throw error
        }
    }

    /// A file that is still being written.
    ///
    /// - Parameter size: that it will have.
    /// - Throws: `Errno` of open(2).
    package init(_ path: FilePath, growingTo size: Int) throws {
        (self.path, self.size, start, whole) = (path, size, 0, nil)
        descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
    }

    /// A part of a file, as a file: such as the movie in a motion photo. Its path is that of the file.
    ///
    /// - Parameter range: within the file's bytes; what lies beyond is left out.
    package init(_ range: Range<Int>, of file: InputFile) {
        let range = range.clamped(to: 0..<file.size)
        (path, size, descriptor) = (file.path, range.count, file.descriptor)
        (start, whole) = (file.start + range.lowerBound, file)
    }

    deinit {
        if whole == nil { try? descriptor.close() }
    }

    /// The bytes from `offset` on, `count` of them or fewer where the file ends before.
    ///
    /// - Throws: `Errno` of pread(2).
    package func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        let wanted = min(count, max(size - offset, 0))
        guard wanted > 0 else { return [] }
        return try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
            initialized = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Fills `buffer` with the bytes from `offset` on, or a part of it where the file ends before.
    ///
    /// - Returns: how many bytes there are.
    /// - Throws: `Errno` of pread(2).
    package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let wanted = min(buffer.count, max(size - offset, 0))
        var filled = 0
        while filled < wanted {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<wanted])
            let got = try descriptor.read(fromAbsoluteOffset: Int64(start + offset + filled), into: rest)
            if got == 0 { break }
            filled += got
        }
        return filled
    }

    /// The whole file, at most `limit` bytes of it.
    ///
    /// - Throws: `Errno.fileTooLarge` for a larger one; `Errno` of pread(2).
    package func contents(limit: Int) throws -> [UInt8] {
        guard size <= limit else { throw Errno.fileTooLarge }
        return try bytes(at: 0, count: size)
    }
}
