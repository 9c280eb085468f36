import Bytes
package import SystemPackage

/// A file in the making, in a hidden folder beside its place: nothing is to be seen of it before it is whole, and nothing
/// is left where it never is.
package final class StagedFile {
    private let target: FilePath
    private let directory: FilePath
    private let replacesExisting: Bool
    private let work: WorkFolder
    private let file: OutputFile

    /// - Throws: `LivePhotoError` where it cannot be made there.
    package init(_ target: FilePath, replacesExisting: Bool) throws(LivePhotoError) {
        try Self.check(target, replacesExisting: replacesExisting)
        (self.target, self.replacesExisting) = (target, replacesExisting)
        directory = target.folder
        do {
            Publisher.removeLeftovers(in: directory)
            work = try WorkFolder(in: directory, usesHardLinks: true)
        } catch {
            throw LivePhotoError(writing: target, error)
        }
        do {
            guard let name = target.lastComponent else { throw Errno.isDirectory }
            file = try OutputFile(creating: work.new.appending(name))
        } catch {
            work.remove()
            throw LivePhotoError(writing: target, error)
        }
    }

    deinit {
        work.remove()
    }

    /// Finds out whether the place is free, or may be taken.
    ///
    /// - Throws: `LivePhotoError`
    package static func check(_ target: FilePath, replacesExisting: Bool) throws(LivePhotoError) {
        guard let status = try? Stat(target, followTargetSymlink: false) else { return }
        guard status.type == .regular else {
            throw LivePhotoError(.cannotCreateOutput, target, "is there, and is no file that can be replaced")
        }
        guard replacesExisting else {
            throw LivePhotoError(.outputExists, target, "is there already")
        }
    }

    /// - Throws: `LivePhotoError`
    package func write(_ bytes: some Collection<UInt8>) throws(LivePhotoError) {
        do {
            try file.write(bytes)
        } catch {
            throw LivePhotoError(writing: target, error)
        }
    }

    /// Puts the file in its place, in one step, and waits until the disk has it there.
    ///
    /// - Throws: `LivePhotoError`
    package func publish() throws(LivePhotoError) {
        do {
            try file.synchronize()
            try work.place(target, replacing: replacesExisting)
            try FileSystem.synchronize(directory)
        } catch {
            throw LivePhotoError(writing: target, error)
        }
    }
}
