package import SystemPackage

/// An existing file, open for reading and writing. `deinit` closes it.
package final class WritableFile: Sendable {
    package let path: FilePath
    let descriptor: FileDescriptor

    /// - Throws: `Errno` of open(2).
    package init(_ path: FilePath) throws {
        self.path = path
        descriptor = try FileDescriptor.open(path, .readWrite, options: [.noFollow, .closeOnExec])
    }

    deinit {
        try? descriptor.close()
    }
}
