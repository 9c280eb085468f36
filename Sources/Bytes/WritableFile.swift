package import SystemPackage

/// An existing file, open for reading and writing. `deinit` closes it.
package final class WritableFile: Sendable {
    package let path: FilePath
    let descriptor: FileDescriptor

    /// - Parameter path: May be that of an `UnnamedFile`.
    /// - Throws: `Errno` of open(2).
    package init(_ path: FilePath) throws {
        self.path = path
        descriptor = try FileDescriptor.open(path, .readWrite, options: .closeOnExec)
    }

    deinit {
        try? descriptor.close()
    }
}
