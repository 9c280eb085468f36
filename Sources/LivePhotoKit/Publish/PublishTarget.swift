import MediaModel
package import StillImage
package import SystemPackage

/// The places of a pair's two files: one folder, two names.
package struct PublishTarget: Sendable, Hashable {
    package let directory: FilePath
    package let photoName: FilePath.Component
    package let movieName: FilePath.Component

    /// - Parameter directory: need not exist yet; an empty path is the current folder.
    package init(directory: FilePath, photoName: FilePath.Component, movieName: FilePath.Component) {
        self.directory = directory.orCurrentFolder
        self.photoName = photoName
        self.movieName = movieName
    }

    /// Both files under one name. Photos types them by their extensions, which cameras write in capitals.
    ///
    /// - Parameters:
    ///   - name: without extension.
    ///   - format: the photo's; anything but HEIC is a JPEG.
    /// - Throws: `LivePhotoError` for a name that no file can have.
    package init(
        directory: FilePath, name: String, photo format: PhotoMetadata.Format?
    ) throws(LivePhotoError) {
        guard !["", ".", ".."].contains(name), let movieName = FilePath.Component(name + ".MOV"),
            let photoName = FilePath.Component(name + (format == .heic ? ".HEIC" : ".JPG"))
        else {
            throw LivePhotoError(
                .invalidRequest, nil, "\(quoted(name)) is no name for a file; give one without slashes")
        }
        self.init(directory: directory, photoName: photoName, movieName: movieName)
    }

    package var photo: FilePath { directory.file(photoName) }
    package var movie: FilePath { directory.file(movieName) }

    /// Finds out before any work what would keep the pair from being published, as `Publisher.check`.
    package func check(inputs: [FilePath], replacing: Bool) throws(LivePhotoError) {
        try Publisher.check([photo, movie], inputs: inputs, replacing: replacing)
    }

    /// A publisher of both files, the movie first: once the photo is there, the pair is complete.
    package func publisher(usesHardLinks: Bool = true) throws(LivePhotoError) -> Publisher {
        try Publisher([.init(movieName), .init(photoName)], in: directory, usesHardLinks: usesHardLinks)
    }
}
