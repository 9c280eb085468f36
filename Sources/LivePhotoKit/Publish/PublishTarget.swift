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
    package init(directory: FilePath, name: FilePath.Component, photo format: PhotoMetadata.Format?) {
        self.init(
            directory: directory, photoName: name.appending(".\(Self.photoExtension(of: format))"),
            movieName: name.appending(".MOV"))
    }

    /// - Throws: `LivePhotoError` for an invalid file name.
    package init(
        directory: FilePath, name: String, photo format: PhotoMetadata.Format?
    ) throws(LivePhotoError) {
        // A component drops a slash at its end.
        guard !name.contains("/"), let name = FilePath.Component(name), name.kind == .regular else {
            throw LivePhotoError(
                .invalidRequest, nil,
                "\(quoted(name)) cannot be the name of both files; give \(name.contains("/") ? "one without slashes" : "another one")"
            )
        }
        self.init(directory: directory, name: name, photo: format)
    }

    /// The extension of a photo that is published: `JPG` unless it is a HEIC.
    package static func photoExtension(of format: PhotoMetadata.Format?) -> String {
        format == .heic ? "HEIC" : "JPG"
    }

    package var photo: FilePath { directory.file(photoName) }
    package var movie: FilePath { directory.file(movieName) }

    /// Checks before any work whether the pair can be published, as `Publisher.check`.
    package func check(inputs: [FilePath], replacing: Bool) throws(LivePhotoError) {
        try Publisher.check([photo, movie], inputs: inputs, replacing: replacing)
    }

    /// Throws if the pair would replace the movie of a photo in another format, which would stay without one.
    package func checkOtherPhotos(inputs: [FilePath]) throws(LivePhotoError) {
        guard FileSystem.exists(movie), !FileSystem.exists(photo), let name = photo.lastComponent?.base
        else {
            return
        }
        let others = ["HEIC", "JPG", "JPEG", "heic", "jpg", "jpeg"].map { directory.file(name.appending(".\($0)")) }
        guard let other = others.first(where: { FileSystem.exists($0) && !inputs.contains($0) }) else { return }
        throw LivePhotoError(
            .outputExists, movie,
            "is the movie of \(other), which would stay without one; give another name or folder")
    }

    /// A publisher of both files, the movie first: once the photo appears, the pair is complete.
    package func publisher(usesHardLinks: Bool = true) throws(LivePhotoError) -> Publisher {
        try Publisher([.init(movieName), .init(photoName)], in: directory, usesHardLinks: usesHardLinks)
    }
}
