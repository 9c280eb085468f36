package import SystemPackage

/// One step of changing a file where it stands.
///
/// Changes are values, so that whoever orders them can be tested by stopping after each of them.
package enum FileChange: Sendable, Hashable {
    case write([UInt8], at: Int)
    /// Cuts the file off.
    case truncate(to: Int)
    /// Waits until the disk has all changes before (fsync(2)).
    case synchronize
}

extension FileChange {
    /// Makes the changes, one after the other.
    ///
    /// - Throws: `Errno` of open(2), pwrite(2), ftruncate(2), fsync(2); changes before stay made.
    package static func apply(_ changes: some Sequence<FileChange>, to path: FilePath) throws {
        let descriptor = try FileDescriptor.open(path, .readWrite, options: .closeOnExec)
        try descriptor.closeAfter {
            for change in changes {
                switch change {
                case .write(let bytes, let offset): try descriptor.writeAll(toAbsoluteOffset: Int64(offset), bytes)
                case .truncate(let size): try descriptor.resize(to: Int64(size))
                case .synchronize: try descriptor.synchronize()
                }
            }
        }
    }
}
