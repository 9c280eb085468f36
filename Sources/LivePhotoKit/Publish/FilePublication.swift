import SystemPackage

/// Brings one file, or one bundle, to its place: whole or not at all.
enum FilePublication {
    /// Finds out before any work what would stop it.
    ///
    /// - Parameters:
    ///   - inputs: the files that it is made from, none of which is replaced.
    ///   - replacing: whether what stands at the target may be replaced.
    static func check(_ target: FilePath, inputs: [FilePath], replacing: Bool) throws(PublishError) {
        let place = FileIdentity(target, followingLink: true)
        if place != nil, inputs.contains(where: { FileIdentity($0, followingLink: true) == place }) {
            throw PublishError(.isTheInput, target)
        }
        if !replacing, FileIdentity(target) != nil { throw PublishError(.exists, target, .fileExists) }
        try OutputDirectory.check(target.folder, for: target)
    }

    /// Makes it in a hidden folder beside its place and gives it its name there; what is replaced is kept until then.
    ///
    /// - Parameters:
    ///   - replacing: whether what stands there is replaced; of folders only bundles, and only by bundles.
    ///   - make: makes the file or folder at a path, and has it on the disk.
    /// - Throws: `PublishError`; what `make` throws.
    static func publish(at target: FilePath, replacing: Bool, _ make: (FilePath) throws -> Void) throws {
        guard let name = target.lastComponent else { throw PublishError(.invalidArgument, at: target) }
        let (directory, folder) = try OutputDirectory.withWorkFolder(target.folder, for: target)
        defer { folder.remove() }
        do {
            let new = folder.new.appending(name)
            try make(new)
            try directory.withLock { () throws(PublishError) in
                do throws(Errno) {
                    try place(new, at: target, folder, in: directory, replacing: replacing)
                } catch {
                    throw PublishError(error, at: target)
                }
            }
        } catch {
            folder.remove()
            directory.removeCreated()
            throw error
        }
    }

    /// What is replaced is forgotten only when the disk has the new one; else it comes back with the work folder's end.
    private static func place(
        _ new: FilePath, at target: FilePath, _ folder: WorkFolder, in directory: OutputDirectory, replacing: Bool
    ) throws(Errno) {
        let identity = FileIdentity(new)
        let isBundle = try isDirectory(new)
        var isReplaced = false
        if isBundle {
            isReplaced = try moveOldBundle(at: target, folder, replacing: replacing)
        } else if replacing {
            isReplaced = try folder.keepOld(target)
        }
        do throws(Errno) {
            if isBundle {
                try FileSystem.move(new, to: target)
            } else {
                try folder.place(target, replacing: isReplaced)
            }
            try FileSystem.synchronize(directory.path)
            if isReplaced { try folder.forgetOld() }
        } catch {
            if FileIdentity(target) == identity {
                if isBundle { try? FileSystem.move(target, to: new) } else { try? FileSystem.removeFile(target) }
            }
            throw error
        }
    }

    /// - Returns: whether there was one.
    private static func moveOldBundle(
        at target: FilePath, _ folder: WorkFolder, replacing: Bool
    ) throws(Errno) -> Bool {
        guard FileIdentity(target) != nil else { return false }
        guard replacing else { throw .fileExists }
        guard try isDirectory(target), target.extension?.lowercased() == FileTree.bundleExtension,
            let name = target.lastComponent
        else { throw .notDirectory }
        try FileSystem.move(target, to: folder.old.appending(name))
        return true
    }

    private static func isDirectory(_ path: FilePath) throws(Errno) -> Bool {
        try Stat(path, followTargetSymlink: false).type == .directory
    }
}
