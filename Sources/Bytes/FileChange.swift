package import SystemPackage

#if canImport(Glibc)
    import CFileSystem
    import Glibc
#elseif canImport(Musl)
    import CFileSystem
    import Musl
#endif

/// One step of changing a file in place. Steps are values, so that tests can stop after each of them.
package enum FileChange: Sendable, Hashable {
    case write([UInt8], at: Int)
    case truncate(to: Int)
    /// Waits until all previous changes are on the disk (fsync(2)).
    case synchronize

    /// Applies the changes in order.
    ///
    /// - Throws: `Errno` of open(2), pwrite(2), ftruncate(2), fsync(2); previous changes are kept.
    package static func apply(_ changes: some Sequence<FileChange>, to path: FilePath) throws {
        let descriptor = try FileDescriptor.open(path, .readWrite, options: .closeOnExec)
        try descriptor.closeAfter { try descriptor.apply(changes) }
    }

    /// Applies the changes in order to a file that is open for writing.
    ///
    /// - Throws: `Errno` of pwrite(2), ftruncate(2), fsync(2); previous changes are kept.
    package static func apply(_ changes: some Sequence<FileChange>, to file: InputFile) throws {
        try file.descriptor.apply(changes)
    }

    /// Reserves the space that a file needs to grow to a size, if the file system supports it (fallocate(2)). The file's
    /// size does not change.
    ///
    /// - Throws: `Errno` of open(2), fallocate(2), such as `.noSpace`.
    package static func reserve(upTo size: Int, in path: FilePath) throws {
        #if canImport(Glibc) || canImport(Musl)
            let descriptor = try FileDescriptor.open(path, .readWrite, options: .closeOnExec)
            try descriptor.closeAfter {
                let end = Int(try descriptor.seek(offset: 0, from: .end))
                guard end < size else { return }
                while fallocate(descriptor.rawValue, FALLOC_FL_KEEP_SIZE, end, size - end) != 0 {
                    let failure = Errno(rawValue: errno)
                    if failure == .interrupted { continue }
                    // Without support, writing shows whether there is enough space.
                    guard [.noSpace, .diskQuotaExceeded, .fileTooLarge, .ioError].contains(failure) else { return }
                    throw failure
                }
            }
        #endif
    }
}

extension InputFile {
    /// Appends a line to a file of lines, which is open for writing: all of it or nothing. What an interrupted write has left
    /// after the last line is overwritten.
    ///
    /// - Parameter end: Where the last line ends; moved to the end of this one.
    /// - Throws: `Errno`.
    package func append(line: [UInt8], at end: inout Int) throws {
        do {
            try FileChange.apply([.truncate(to: end), .write(line, at: end)], to: self)
        } catch {
            try? FileChange.apply([.truncate(to: end)], to: self)
            throw error
        }
        end += line.count
    }
}

extension FileDescriptor {
    fileprivate func apply(_ changes: some Sequence<FileChange>) throws {
        for change in changes {
            switch change {
            case .write(let bytes, let offset): try writeAll(toAbsoluteOffset: Int64(offset), bytes)
            case .truncate(let size): try resize(to: Int64(size))
            case .synchronize: try synchronize()
            }
        }
    }
}
