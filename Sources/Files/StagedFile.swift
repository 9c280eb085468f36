package import Bytes
package import SystemPackage

/// A single file that is written in parts and appears at its target only when it is complete.
package final class StagedFile {
    private let target: FilePath
    private let replacesExisting: Bool
    private let publisher: Publisher
    private let file: OutputFile

    /// - Throws: `LivePhotoError` if it cannot be created there.
    package init(
        _ target: FilePath, replacesExisting: Bool, inheritsAttributes: Bool = false
    ) throws(LivePhotoError) {
        try Self.check(target, replacing: replacesExisting)
        (self.target, self.replacesExisting) = (target, replacesExisting)
        guard let name = target.lastComponent else { throw LivePhotoError(writing: target, Errno.isDirectory) }
        let entry = Publisher.Entry(name, inheritsAttributes: inheritsAttributes)
        publisher = try Publisher([entry], in: target.folder)
        do {
            file = try OutputFile(creating: publisher.stagedPath(name))
        } catch {
            throw LivePhotoError(writing: target, error)
        }
    }

    /// Checks before any work that the file can be written: its folder must exist, and only a regular file is replaced, not a
    /// link or a device such as /dev/stdout.
    ///
    /// - Parameter inputs: files that must not be replaced.
    /// - Throws: `LivePhotoError`.
    package static func check(
        _ target: FilePath, inputs: [FilePath] = [], replacing: Bool
    ) throws(LivePhotoError) {
        guard (try? target.folder.stat().type) == .directory else {
            throw LivePhotoError(writing: target, Errno.noSuchFileOrDirectory)
        }
        try Publisher.check([target], inputs: inputs, replacing: replacing)
        guard let type = try? Stat(target, followTargetSymlink: false).type, type != .regular else { return }
        throw LivePhotoError(.cannotCreateOutput, target, "exists and is not a regular file; give another name")
    }

    /// As the other check, for a file that replaces only one of its kind, which an earlier run has written.
    ///
    /// - Parameters:
    ///   - kind: as `a report`, for errors.
    ///   - isOfKind: whether a file that is there, and is not empty, is of this kind.
    /// - Throws: `LivePhotoError`.
    package static func check(
        _ target: FilePath, replacingOnly kind: String, _ isOfKind: (InputFile) throws -> Bool
    ) throws(LivePhotoError) {
        if (try? target.stat()) != nil {
            let isKnown = try? InputFile(target).size == 0 || isOfKind(InputFile(target))
            guard isKnown == true else {
                throw LivePhotoError(
                    .cannotCreateOutput, target, "exists and is not \(kind) that was written before; give another name")
            }
        }
        try check(target, replacing: true)
    }

    /// - Throws: `LivePhotoError`.
    package func write(_ bytes: some Collection<UInt8>) throws(LivePhotoError) {
        do {
            try file.write(bytes)
        } catch {
            throw LivePhotoError(writing: target, error)
        }
    }

    /// Moves the complete file to its target in one step and waits until it is on the disk.
    ///
    /// - Throws: `LivePhotoError`.
    package func publish() throws(LivePhotoError) {
        do {
            try file.close()
        } catch {
            throw LivePhotoError(writing: target, error)
        }
        try publisher.publish(replacing: replacesExisting)
    }
}

extension FileSystem {
    /// Creates or replaces a file in one step.
    package static func write(_ content: [UInt8], to file: FilePath, replacing: Bool) throws(LivePhotoError) {
        let staged = try StagedFile(file, replacesExisting: replacing)
        try staged.write(content)
        try staged.publish()
    }
}
