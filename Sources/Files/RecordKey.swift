import Bytes
import Digests
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A secret of this user on this machine, which signs the records by which changes are undone (`RecordSeal`): 32 random
/// bytes in the folder of the user's state, where no archive can have put them.
package struct RecordKey: Sendable {
    let bytes: [UInt8]

    private static let fileName: FilePath.Component = "key"

    /// `$XDG_STATE_HOME/livephoto`, or `livephoto` in ~/.local/state.
    package static var folder: FilePath {
        let environment = CurrentProcess.environment
        if let path = environment["XDG_STATE_HOME"], path.hasPrefix("/") {
            return FilePath(path).appending("livephoto")
        }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? FilePath($0) : nil } ?? recordedHome
        return home.appending(".local/state/livephoto")
    }

    /// The user's home according to the system's list of users: getpwuid_r(3).
    private static var recordedHome: FilePath {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var texts = [CChar](repeating: 0, count: 1 << 14)
        guard getpwuid_r(geteuid(), &entry, &texts, texts.count, &found) == 0, found != nil, let home = entry.pw_dir
        else { return "/" }
        return FilePath(platformString: home)
    }

    /// The key, which is made if there is none.
    ///
    /// - Throws: `LivePhotoError` that says what to do.
    package init() throws(LivePhotoError) {
        let path = Self.folder
        do {
            try OutputDirectory.create(path, .ownerReadWriteExecute)
            let folder = try OpenFolder(named: path)
            if let key = try Self(in: folder) {
                self = key
                return
            }
            let lock = try OpenFolder(named: path)
            _ = lock.descriptor.lock(waiting: true)
            defer { withExtendedLifetime(lock) {} }
            // Another process may have made it meanwhile.
            if try Self(in: folder) == nil { try Self.make(in: folder) }
            guard let key = try Self(in: folder) else { throw Errno.noSuchFileOrDirectory }
            self = key
        } catch {
            throw Self.unusable(error)
        }
    }

    /// The key; nil if there is none, so that no record can be this user's.
    ///
    /// - Throws: `LivePhotoError`.
    package static func existing() throws(LivePhotoError) -> RecordKey? {
        do {
            return try Self(in: try OpenFolder(named: folder))
        } catch Errno.noSuchFileOrDirectory {
            return nil
        } catch {
            throw unusable(error)
        }
    }

    private init?(in folder: OpenFolder) throws {
        do {
            let file = try folder.entry(Self.fileName).open()
            let status = try file.status()
            let others: FilePermissions = [.groupReadWriteExecute, .otherReadWriteExecute]
            guard status.userID.rawValue == geteuid(), status.permissions.isDisjoint(with: others),
                file.size == MessageCode.size
            else {
                throw LivePhotoError(.cannotCreateOutput, file.path, "is not a file that only this user can read")
            }
            bytes = try file.bytes(at: 0, count: file.size)
        } catch Errno.noSuchFileOrDirectory {
            return nil
        }
    }

    /// It appears in one step, complete.
    private static func make(in folder: OpenFolder) throws {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<MessageCode.size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        // What killed runs have left. Others that make a key wait for the lock of the folder.
        for name in try folder.names() where name.string.hasPrefix("key-") { try? folder.entry(name).remove() }
        let unfinished = folder.entry("key-\(UInt64.random(in: .min ... .max, using: &generator))")
        try folder.entry(fileName).write(bytes, by: unfinished)
    }

    private static func unusable(_ error: any Error) -> LivePhotoError {
        // The key may be as it should be.
        if error is CancellationError || error is TimeLimitExceeded {
            return LivePhotoError(reading: folder.appending(fileName), error)
        }
        let reason = (error as? LivePhotoError)?.reason ?? "\(error)"
        return LivePhotoError(
            .cannotCreateOutput, folder.appending(fileName),
            "the key for the records by which changes in place are undone cannot be read or made (\(reason)); "
                + "set XDG_STATE_HOME to a folder that only you can change, or write copies with --output", cause: error
        )
    }
}
