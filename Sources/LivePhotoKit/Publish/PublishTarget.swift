import MediaModel
package import StillImage
package import SystemPackage

/// The folder and the names of a pair's two files.
package struct PublishTarget: Sendable, Hashable {
    package let directory: FilePath
    package let photoName: FilePath.Component
    package let movieName: FilePath.Component

    /// - Parameter directory: Need not exist yet; an empty path is the current folder.
    package init(directory: FilePath, photoName: FilePath.Component, movieName: FilePath.Component) {
        self.directory = directory.orCurrentFolder
        self.photoName = photoName
        self.movieName = movieName
    }

    /// Both files under one name. Photos recognizes them by their extensions, which cameras write in upper case.
    ///
    /// - Parameters:
    ///   - name: Without extension.
    ///   - format: The photo's; anything but HEIC is a JPEG.
    /// - Throws: `LivePhotoError` for an invalid file name.
    package init(
        directory: FilePath, name: String, photo format: PhotoMetadata.Format?
    ) throws(LivePhotoError) {
        guard !["", ".", ".."].contains(name), let movieName = FilePath.Component(name + ".MOV"),
            let photoName = FilePath.Component(name + (format == .heic ? ".HEIC" : ".JPG"))
        else {
            throw LivePhotoError(
                .invalidRequest, nil, "\(quoted(name)) cannot be a file name; give one without slashes")
        }
        self.init(directory: directory, photoName: photoName, movieName: movieName)
    }

    package var photo: FilePath { directory.file(photoName) }
    package var movie: FilePath { directory.file(movieName) }

    /// Checks before any work whether the pair can be published, as `Publisher.check`.
    package func check(inputs: [FilePath], replacing: Bool) throws(LivePhotoError) {
        try Publisher.check([photo, movie], inputs: inputs, replacing: replacing)
    }

    /// A publisher of both files, the movie first: once the photo appears, the pair is complete.
    package func publisher(usesHardLinks: Bool = true) throws(LivePhotoError) -> Publisher {
        try Publisher([.init(movieName), .init(photoName)], in: directory, usesHardLinks: usesHardLinks)
    }
}
