package import SystemPackage

/// The folder that files are published to; created where it is missing.
package final class OutputDirectory: Sendable {
    let path: FilePath
    /// The folders that were made for it, the outermost first.
    private let created: [FilePath]

    init(_ path: FilePath) throws(Errno) {
        self.path = path
        var created: [FilePath] = []
        do throws(Errno) {
            try Self.create(path, noting: &created)
        } catch {
            Self.remove(created)
            throw error
        }
        self.created = created
    }

    /// Creates a folder, and those above it, where they are missing.
    package static func create(_ path: FilePath) throws(Errno) {
        _ = try OutputDirectory(path)
    }

    /// The folder, with a hidden one in it for work in progress; removes those that killed runs left there.
    ///
    /// - Parameter file: the file to be published, for errors.
    static func withWorkFolder(
        _ path: FilePath, for file: FilePath, usesHardLinks: Bool = true
    ) throws(LivePhotoError) -> (OutputDirectory, WorkFolder) {
        var attempts = 0
        while true {
            let directory: OutputDirectory
            do throws(Errno) {
                directory = try OutputDirectory(path)
            } catch {
                throw LivePhotoError(writing: path, error)
            }
            directory.withLock { WorkFolder.removeLeftovers(in: path) }
            do throws(Errno) {
                return (directory, try WorkFolder(in: path, usesHardLinks: usesHardLinks))
            } catch {
                directory.removeCreated()
                // Another run that made the same folder, and failed, may have removed it in between.
                attempts += 1
                guard error == .noSuchFileOrDirectory, attempts < 10 else { throw LivePhotoError(writing: file, error) }
            }
        }
    }

    /// Throws unless the folder, or the nearest one above it that exists, takes new files.
    ///
    /// - Parameter file: the file to be published, for errors.
    static func check(_ directory: FilePath, for file: FilePath) throws(LivePhotoError) {
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

    /// The folder, or the nearest one above it that exists.
    ///
    /// - Throws: `Errno`, such as `.notDirectory` for a file on the way.
    static func nearest(to directory: FilePath) throws(Errno) -> FilePath {
        var existing = directory.orCurrentFolder
        while try !isDirectory(existing) {
            let parent = existing.removingLastComponent()
            guard parent != existing, existing != "." else { throw .noSuchFileOrDirectory }
            existing = parent.orCurrentFolder
        }
        return existing
    }

    /// False when there is nothing.
    private static func isDirectory(_ path: FilePath) throws(Errno) -> Bool {
        do throws(Errno) {
            guard try Stat(path).type == .directory else { throw Errno.notDirectory }
            return true
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return false
        }
    }

    private static func create(_ path: FilePath, noting created: inout [FilePath]) throws(Errno) {
        do throws(Errno) {
            guard try Stat(path).type == .directory else { throw Errno.notDirectory }
            return
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
        }
        let parent = path.removingLastComponent()
        if !parent.isEmpty, parent != path { try create(parent, noting: &created) }
        do throws(Errno) {
            try FileSystem.createDirectory(
                path, [.ownerReadWriteExecute, .groupReadWriteExecute, .otherReadWriteExecute])
            created.append(path)
        } catch {
            // Another run may have made it in between.
            guard error == .fileExists else { throw error }
        }
    }

    /// Removes what was made, as far as it is empty.
    func removeCreated() {
        Self.remove(created)
    }

    private static func remove(_ created: [FilePath]) {
        for path in created.reversed() { try? FileSystem.removeDirectory(path) }
    }

    /// Runs `body` while no other run does so for this folder, where it can be locked: two runs that replace the same
    /// pair could otherwise leave the movie of one and the photo of the other.
    func withLock<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
        defer { try? descriptor?.close() }
        _ = descriptor?.lock(waiting: true)
        try body()
    }
}
