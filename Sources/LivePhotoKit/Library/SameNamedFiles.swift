import SystemPackage

/// The files of a tree by their names without extensions.
struct SameNamedFiles {
    /// A photo and a movie whose name no other files have, in the order of the photos.
    private(set) var pairs: [(photo: FilePath, movie: FilePath)] = []
    /// The other files.
    private(set) var photos: [FilePath] = []
    private(set) var movies: [FilePath] = []

    init(_ tree: FileTree) {
        let photosByName = Dictionary(grouping: tree.photos) { ComparedName(withoutExtensionOf: $0) }
        let moviesByName = Dictionary(grouping: tree.movies) { ComparedName(withoutExtensionOf: $0) }
        var paired: Set<FilePath> = []
        for photo in tree.photos {
            let name = ComparedName(withoutExtensionOf: photo)
            if photosByName[name]?.count == 1, let movies = moviesByName[name], movies.count == 1 {
                pairs.append((photo, movies[0]))
                paired.insert(movies[0])
            } else {
                photos.append(photo)
            }
        }
        movies = tree.movies.filter { !paired.contains($0) }
    }
}
