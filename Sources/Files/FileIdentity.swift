package import SystemPackage

extension FilePath {
    /// The folder of a file: "." for a name alone.
    package var folder: FilePath { removingLastComponent().orCurrentFolder }

    /// "." for an empty path.
    package var orCurrentFolder: FilePath { isEmpty ? "." : self }

    /// The file of that name in this folder: `beach.JPG`, not `./beach.JPG`.
    package func file(_ name: FilePath.Component) -> FilePath {
        orCurrentFolder == "." ? FilePath(root: nil, [name]) : appending(name)
    }

    /// Whether the name is that of a bundle, a folder with one Live Photo: `IMG_1.pvt`.
    package var isNamedAsBundle: Bool { `extension`?.lowercased() == "pvt" }
}

/// Identifies a file independently of its name.
package struct FileIdentity: Hashable, Sendable {
    private let device: DeviceID
    private let inode: Inode

    /// Nil if there is no file, or if it cannot be accessed.
    package init?(_ path: FilePath, followingLink: Bool = false) {
        guard let status = try? Stat(path, followTargetSymlink: followingLink) else { return nil }
        self.init(status)
    }

    package init(_ status: Stat) {
        device = status.deviceID
        inode = status.inode
    }
}

extension Stat {
    package var inodeNumber: UInt64 { UInt64(inode.rawValue) }
}
