import SystemPackage

/// The folder that a pair is to stand in; made where it is missing.
final class OutputDirectory {
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

    /// Runs `body` while no other run does so for this folder, where it can be locked: two that replace the same
    /// pair would else leave the movie of one and the photo of the other.
    func withLock<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec])
        defer { try? descriptor?.close() }
        _ = descriptor?.lock(waiting: true)
        try body()
    }
}
