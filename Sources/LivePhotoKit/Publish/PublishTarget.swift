import MediaModel
package import StillImage
package import SystemPackage

/// Where the two files of a pair are to stand: one folder, two names.
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
    ///   - format: of the photo: a HEIC, or else a JPEG.
    /// - Throws: `LivePhotoError` for what is no name of a file.
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

    package var photo: FilePath { directory.appending(photoName) }
    package var movie: FilePath { directory.appending(movieName) }

    /// Finds out before any work what would stop the pair from being published.
    ///
    /// A file is taken for an input also when only the case of its name differs from that of one in the same folder:
    /// on many file systems it is the same.
    ///
    /// - Parameters:
    ///   - inputs: the files that the pair is made from.
    ///   - replacing: whether files that stand there may be replaced; an input may never be.
    package func check(inputs: [FilePath], replacing: Bool) throws(PublishError) {
        for path in [photo, movie] {
            if inputs.contains(where: { isSameFile($0, path) }) { throw PublishError(.isTheInput, path) }
            guard let status = try status(of: path) else { continue }
            guard replacing else { throw PublishError(.exists, path, .fileExists) }
            if status.type == .directory { throw PublishError(.isDirectory, at: path) }
        }
        try OutputDirectory.check(directory, for: photo)
    }

    /// Nil when there is nothing.
    private func status(of path: FilePath) throws(PublishError) -> Stat? {
        do throws(Errno) {
            return try Stat(path, followTargetSymlink: false)
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            throw PublishError(error, at: path)
        }
    }

    private func isSameFile(_ input: FilePath, _ output: FilePath) -> Bool {
        if let identity = FileIdentity(input, followingLink: true),
            identity == FileIdentity(output, followingLink: true)
        {
            return true
        }
        guard let name = input.lastComponent, name.string.lowercased() == output.lastComponent?.string.lowercased()
        else { return false }
        guard let identity = FileIdentity(input.folder, followingLink: true) else { return false }
        return identity == FileIdentity(directory, followingLink: true)
    }
}
