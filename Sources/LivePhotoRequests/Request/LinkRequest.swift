package import LivePhotoKit
package import SystemPackage

/// A photo and a movie to link as a Live Photo.
package struct LinkRequest: Sendable {
    package let photo: FilePath
    package let movie: FilePath
    /// Nil for the movie's, or the moment that the photo shows.
    package var still: ClipTime?
    /// `still` as the user wrote it.
    package var stillText: String?
    package var search = StillSearch.ifUnknown
    package var contentIdentifier: ContentIdentifier?
    /// Nil keeps the dates of the files.
    package var captureDate: RequestedDate?
    /// Of copies, without extension; nil for the photo's.
    package var name: String?
    package var destination: LivePhotoLinker.Destination
    /// Whether a photo and a movie with different content identifiers are linked.
    package var joinsDifferentPairs = false

    package init(photo: FilePath, movie: FilePath, to destination: LivePhotoLinker.Destination) {
        (self.photo, self.movie, self.destination) = (photo, movie, destination)
    }

    /// The identifier that both files already have.
    package var existingIdentifier: ContentIdentifier? {
        try? LivePhoto(photo: photo, movie: movie).contentIdentifier
    }

    /// The files of the linked pair.
    package func target() throws(LivePhotoError) -> PublishTarget {
        let folder = if case .directory(let directory, _) = destination { directory } else { photo.folder }
        return try PublishTarget(directory: folder, name: name ?? photo.stem ?? "", photo: PhotoFile.format(photo))
    }

    /// The linker with the options of this request.
    ///
    /// - Throws: `LivePhotoError` if the date cannot be read.
    package var linker: LivePhotoLinker {
        get throws(LivePhotoError) {
            var linker = LivePhotoLinker()
            linker.acceptsDifferentPairs = joinsDifferentPairs
            try linker.setDate(captureDate, ofPhoto: photo)
            return linker
        }
    }

    /// Links the files that were read.
    ///
    /// - Throws: `LivePhotoError`.
    package func link(_ source: LinkSource, _ moment: StillMoment) async throws -> LivePhotoLinker.Result {
        try await BlockingWork.run { _ in
            try linker.link(
                source, stillTime: moment.time, contentIdentifier: contentIdentifier, name: name, to: destination)
        }
    }
}
