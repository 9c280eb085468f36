package import SystemPackage

extension FilePath {
    /// The folder that a file is in: "." for a name alone.
    package var folder: FilePath { removingLastComponent().orCurrentFolder }

    /// "." for an empty path.
    package var orCurrentFolder: FilePath { isEmpty ? "." : self }

    /// The file of that name in this folder, as a person would write it: `beach.JPG`, not `./beach.JPG`.
    func file(_ name: FilePath.Component) -> FilePath {
        orCurrentFolder == "." ? FilePath(root: nil, [name]) : appending(name)
    }

    /// Whether the name is that of a folder that holds one Live Photo: `IMG_1.pvt`.
    var isNamedAsBundle: Bool { `extension`?.lowercased() == "pvt" }
}

/// Which file a path leads to, whatever its name.
struct FileIdentity: Hashable {
    private let device: DeviceID
    private let inode: Inode

    /// Nil when there is no file, or none that may be seen.
    init?(_ path: FilePath, followingLink: Bool = false) {
        guard let status = try? Stat(path, followTargetSymlink: followingLink) else { return nil }
        self.init(status)
    }

    init(_ status: Stat) {
        device = status.deviceID
        inode = status.inode
    }
}
