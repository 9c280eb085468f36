import Bytes
package import SystemPackage

/// Replaces a file by another content in one step: whoever looks sees the old or the new one, whole.
package enum FileReplacement {
    /// The new file keeps the old one's owner, permissions, extended attributes and times.
    ///
    /// - Throws: `Errno`.
    package static func replace(_ path: FilePath, with content: [UInt8]) throws {
        let directory = path.folder
        WorkFolder.removeLeftovers(in: directory)
        let work = try WorkFolder(in: directory, usesHardLinks: true)
        defer { work.remove() }
        let new = work.path.appending("replacement")
        let file = try OutputFile(creating: new)
        try file.write(content)
        try file.flush()
        try FileAttributes.copy(from: path, to: new)
        try file.synchronize()
        try FileSystem.move(new, to: path)
        try FileSystem.synchronize(directory)
    }
}
