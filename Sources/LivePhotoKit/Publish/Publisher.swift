import Synchronization
package import SystemPackage

/// Brings the two files of a pair to their places: both or none, and never by damaging what stands there.
///
/// They are made in a hidden folder beside their places. Until `publish` has returned nothing else is changed, and
/// if it fails, or the publisher goes away before, nothing of ours is left.
package final class Publisher: Sendable {
    package let target: PublishTarget
    private let directory: OutputDirectory
    private let folder: WorkFolder
    private let isOpen = Atomic(true)

    /// Makes the folder of the target where it is missing, and a hidden one in it; removes those that killed runs
    /// have left there.
    ///
    /// - Parameter usesHardLinks: false for doing as on a file system that has none.
    package init(_ target: PublishTarget, usesHardLinks: Bool = true) throws(PublishError) {
        self.target = target
        (directory, folder) = try OutputDirectory.withWorkFolder(
            target.directory, for: target.photo, usesHardLinks: usesHardLinks)
    }

    deinit {
        discard()
    }

    /// Removes what killed runs have left in a folder; those that are still at work keep theirs.
    package static func removeLeftovers(in directory: FilePath) {
        guard (try? directory.stat().type) == .directory, let directory = try? OutputDirectory(directory) else {
            return
        }
        directory.withLock { WorkFolder.removeLeftovers(in: directory.path) }
    }

    /// Where to make the photo; nothing is there yet.
    package var photo: FilePath { folder.new.appending(target.photoName) }
    /// Where to make the movie; nothing is there yet.
    package var movie: FilePath { folder.new.appending(target.movieName) }

    /// Puts both files in their places, the movie first: once the photo is there, the pair is whole. A file that is
    /// replaced is so in one step, and kept until both are in place.
    ///
    /// After it nothing more can be published, whether it throws or not.
    ///
    /// - Parameters:
    ///   - replacing: whether files that stand there are replaced.
    ///   - isCopy: whether all that is in the files stands elsewhere as well. Then it is left to the system when they
    ///     reach the disk, as with cp(1), unless they replace something.
    package func publish(replacing: Bool, isCopy: Bool = false) throws(PublishError) {
        try directory.withLock { () throws(PublishError) in
            do throws(PublishError) {
                let stand = replacing && [target.movie, target.photo].contains { FileIdentity($0) != nil }
                let waits = !isCopy || stand
                for (made, place) in [(movie, target.movie), (photo, target.photo)] where waits {
                    try Self.at(place) { () throws(Errno) in try FileSystem.synchronize(made) }
                }
                try place([target.movieName, target.photoName], replacing: replacing, waits: waits)
            } catch {
                discard()
                throw error
            }
        }
        isOpen.store(false, ordering: .relaxed)
        folder.remove()
    }

    /// Removes all that was made and is not published. Doing it twice does nothing.
    package func discard() {
        guard isOpen.exchange(false, ordering: .relaxed) else { return }
        folder.remove()
        directory.removeCreated()
    }

    /// All or none.
    private func place(_ names: [FilePath.Component], replacing: Bool, waits: Bool) throws(PublishError) {
        var placed: [(path: FilePath, identity: FileIdentity?)] = []
        do throws(PublishError) {
            var replaced: Set<FilePath.Component> = []
            for name in names where replacing {
                let path = target.directory.appending(name)
                if try Self.at(path, { () throws(Errno) in try folder.keepOld(path) }) { replaced.insert(name) }
            }
            for name in names {
                let path = target.directory.appending(name)
                let identity = FileIdentity(folder.new.appending(name))
                try Self.at(path) { () throws(Errno) in try folder.place(path, replacing: replaced.contains(name)) }
                placed.append((path, identity))
            }
            try Self.at(target.directory) { () throws(Errno) in
                if waits { try FileSystem.synchronize(target.directory) }
                if !replaced.isEmpty { try folder.forgetOld() }
            }
        } catch {
            for (path, identity) in placed where FileIdentity(path) == identity { try? FileSystem.removeFile(path) }
            throw error
        }
    }

    private static func at<Result>(_ path: FilePath, _ body: () throws(Errno) -> Result) throws(PublishError) -> Result
    {
        do throws(Errno) {
            return try body()
        } catch {
            throw PublishError(error, at: path)
        }
    }
}
