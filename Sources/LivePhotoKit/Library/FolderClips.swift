package import SystemPackage

/// The clips below a folder, by their file extensions. The movies of Live Photos are not clips.
package struct FolderClips: Sendable {
    package struct Clip: Sendable {
        package let path: FilePath
        /// The folder of its pair: the clip's relative path below the output folder.
        package let directory: FilePath
    }

    /// In the order of names.
    package let clips: [Clip]
    /// The number of movies that have the content identifier of a photo below the folder.
    package let livePhotoMovies: Int
    /// Folders that could not be listed and files that could not be opened, and why.
    package let unreadable: [LivePhotoError]

    /// - Parameters:
    ///   - directory: The output folder, which is not searched unless it is `folder`.
    ///   - width: How many files are read at a time.
    /// - Throws: `CancellationError`.
    package init(below folder: FilePath, to directory: FilePath, width: Int) async throws {
        let tree = FileTree(below: [folder], without: directory, movieKinds: FileTree.clipExtensions)
        let items = try await TreeItems(tree, width: width)
        let identifiers = Set(items.photos.compactMap(\.identifier))
        let clips = items.movies.filter { movie in !(movie.identifier.map(identifiers.contains) ?? false) }
        self.clips = clips.map { Clip(path: $0.path, directory: tree.folder(of: $0.path, in: directory)) }
        livePhotoMovies = items.movies.count - clips.count
        unreadable = items.unreadable
    }
}
