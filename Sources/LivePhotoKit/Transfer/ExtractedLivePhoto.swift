package import SystemPackage

/// A Live Photo that is extracted from a container into a hidden folder, which exists as long as this value.
package final class ExtractedLivePhoto: Sendable {
    /// The extracted files, which have the container's name.
    package let livePhoto: LivePhoto
    /// Where they came from.
    package let container: FilePath
    private let folder: WorkFolder

    /// Extracts and links the pair of a container, as `PairTransfer.extract` does.
    ///
    /// - Parameter directory: Where the hidden folder is created, or in the nearest existing parent; nil for the system's
    ///   folder of temporary files. What killed runs left there is removed.
    /// - Throws: `LivePhotoError` for a container that cannot be read or whose files cannot be linked.
    package init(_ container: PairContainer, near directory: FilePath?) throws(LivePhotoError) {
        self.container = container.path
        let directory = directory ?? CurrentProcess.temporaryFolder
        do throws(Errno) {
            let parent = try OutputDirectory.nearest(to: directory)
            Publisher.removeLeftovers(in: parent)
            folder = try WorkFolder(in: parent)
        } catch {
            throw LivePhotoError(writing: directory, error)
        }
        do throws(LivePhotoError) {
            let copy = try LivePhotoCopy(container, name: nil, to: folder.new)
            try copy.write(replacing: false)
            livePhoto = try LivePhoto(photo: copy.target.photo, movie: copy.target.movie)
        } catch {
            folder.remove()
            throw Self.named(error, container.path, in: folder.path)
        }
    }

    deinit { discard() }

    /// Removes the files. Freeing the last reference also does this, but another thread may hold one when the process ends.
    package func discard() { folder.remove() }

    /// An error about one of the files as one about the container.
    package func named(_ error: LivePhotoError) -> LivePhotoError {
        Self.named(error, container, in: folder.path)
    }

    private static func named(
        _ error: LivePhotoError, _ container: FilePath, in folder: FilePath
    ) -> LivePhotoError {
        guard let file = error.file, file.starts(with: folder) else { return error }
        return LivePhotoError(error.code, container, at: error.place, error.reason, cause: error.cause)
    }
}
