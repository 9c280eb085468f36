package import SystemPackage

/// The folder that files are published to, created if missing.
package final class OutputDirectory: Sendable {
    let path: FilePath
    /// The folders that were created for it, the outermost first.
    private let created: [FilePath]

    init(_ path: FilePath, _ permissions: FilePermissions = .all) throws(Errno) {
        self.path = path
        var created: [FilePath] = []
        do throws(Errno) {
            try Self.create(path, permissions, recording: &created)
        } catch {
            Self.remove(created)
            throw error
        }
        self.created = created
    }

    /// Creates a folder and its parents if they are missing.
    package static func create(_ path: FilePath, _ permissions: FilePermissions = .all) throws(Errno) {
        _ = try OutputDirectory(path, permissions)
    }

    /// Opens the folder, removes the hidden folders that killed runs left there, and creates one for this run.
    ///
    /// - Parameter file: The file to be published, for errors.
    static func withWorkFolder(
        _ path: FilePath, for file: FilePath
    ) throws(LivePhotoError) -> (OutputDirectory, WorkFolder) {
        var attempts = 0
        while true {
            let directory: OutputDirectory
            do throws(Errno) {
                directory = try OutputDirectory(path)
            } catch {
                throw LivePhotoError(writing: path, error)
            }
            OutputFolders.removeLeftovers(in: directory)
            do throws(Errno) {
                return (directory, try WorkFolder(in: path))
            } catch {
                directory.removeCreated()
                // Another run that created the same folder, and failed, may have removed it in between.
                attempts += 1
                guard error == .noSuchFileOrDirectory, attempts < 10 else { throw LivePhotoError(writing: file, error) }
            }
        }
    }

    /// Throws unless files can be created in the folder, or in its nearest existing parent.
    ///
    /// - Parameter file: The file to be published, for errors.
    package static func check(_ directory: FilePath, for file: FilePath) throws(LivePhotoError) {
        let existing: FilePath
        do throws(Errno) {
            existing = try nearest(to: directory)
        } catch {
            throw LivePhotoError(writing: directory, error)
        }
        do throws(Errno) {
            try FileSystem.checkWritable(existing)
        } catch {
            throw LivePhotoError(writing: existing == directory ? file : directory, error)
        }
    }

    /// The folder, or its nearest existing parent.
    ///
    /// - Throws: `Errno`, such as `.notDirectory` for a file in the path.
    package static func nearest(to directory: FilePath) throws(Errno) -> FilePath {
        var existing = directory.orCurrentFolder
        while try !isDirectory(existing) {
            let parent = existing.removingLastComponent()
            guard parent != existing, existing != "." else { throw .noSuchFileOrDirectory }
            existing = parent.orCurrentFolder
        }
        return existing
    }

    /// - Returns: False if there is nothing.
    private static func isDirectory(_ path: FilePath) throws(Errno) -> Bool {
        do throws(Errno) {
            guard try Stat(path).type == .directory else { throw Errno.notDirectory }
            return true
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return false
        }
    }

    private static func create(
        _ path: FilePath, _ permissions: FilePermissions, recording created: inout [FilePath]
    ) throws(Errno) {
        guard try !isDirectory(path) else { return }
        let parent = path.removingLastComponent()
        if !parent.isEmpty, parent != path { try create(parent, permissions, recording: &created) }
        do throws(Errno) {
            try FileSystem.createDirectory(path, permissions)
            created.append(path)
        } catch {
            // Another run may have created it in between.
            guard error == .fileExists else { throw error }
        }
    }

    /// Removes the folders that were created and are empty.
    func removeCreated() {
        Self.remove(created)
    }

    private static func remove(_ created: [FilePath]) {
        for path in created.reversed() { try? FileSystem.removeDirectory(path) }
    }

    /// Removes what killed runs left in the folder.
    func removeLeftovers() {
        guard let opened = try? OpenFolder(named: path) else { return }
        withLock { WorkFolder.removeLeftovers(in: opened) }
    }

    /// Runs `body` with the folder locked, if the file system has locks. Two runs that replace the same pair could otherwise
    /// leave the movie of one and the photo of the other.
    func withLock<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
        defer { try? descriptor?.close() }
        _ = descriptor?.lock(waiting: true)
        try body()
    }
}
