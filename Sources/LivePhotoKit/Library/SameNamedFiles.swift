import SystemPackage

/// The files of some folders by their names without extensions.
struct SameNamedFiles {
    /// A photo and a movie whose name no other files have, in the order of the photos.
    private(set) var pairs: [(photo: FilePath, movie: FilePath)] = []
    /// The other files.
    private(set) var photos: [FilePath] = []
    private(set) var movies: [FilePath] = []

    /// - Parameter files: All files of these folders.
    init(_ files: FileTree.Files) {
        let photosByName = Dictionary(grouping: files.photos) { ComparedName(withoutExtensionOf: $0) }
        let moviesByName = Dictionary(grouping: files.movies) { ComparedName(withoutExtensionOf: $0) }
        var paired: Set<FilePath> = []
        for photo in files.photos {
            let name = ComparedName(withoutExtensionOf: photo)
            if photosByName[name]?.count == 1, let movies = moviesByName[name], movies.count == 1 {
                pairs.append((photo, movies[0]))
                paired.insert(movies[0])
            } else {
                photos.append(photo)
            }
        }
        movies = files.movies.filter { !paired.contains($0) }
    }
}
