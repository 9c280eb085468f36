package import SystemPackage

/// A Live Photo in a gallery, or a file that could not be read.
package struct GalleryItem: Sendable {
    package enum Source: Sendable {
        case pair(PairPaths)
        /// A motion photo or an archive.
        case container(FilePath)
        case unreadable(LivePhotoError)
    }

    /// For display: a path relative to the folder that was searched, or a file name.
    package let name: String
    package let source: Source

    package init(_ name: String, _ source: Source) { (self.name, self.source) = (name, source) }

    /// The Live Photos, motion photos and archives with a pair below a folder or in a bundle, in the order of their names.
    ///
    /// - Parameters:
    ///   - width: How many files are read at a time.
    ///   - progress: Called with the number of photos and movies that were read, on any thread.
    /// - Throws: `CancellationError`.
    package static func all(
        below folder: FilePath, width: Int, progress: @escaping @Sendable (Int) -> Void
    ) async throws -> [GalleryItem] {
        let tree = try await FileTree(
            below: [folder], seeksContainers: true,
            movieKinds: FileTree.movieExtensions.union(ExportedName.motionExtensions))
        // A bundle is a folder with one pair.
        let bundles = tree.containers.filter(\.isNamedAsBundle)
        let bundled = try await FileTree(below: bundles)
        let items = try await TreeItems(tree, width: width, seeksMotionPhotos: true, progress: progress)
        let bundledItems = try await TreeItems(bundled, width: width)
        let found = PairFinder(
            photos: items.photos + bundledItems.photos, movies: items.movies + bundledItems.movies)
        let archives = tree.containers.filter { path in
            FileTree.archiveExtensions.contains(path.extension?.lowercased() ?? "") && !path.isNamedAsBundle
        }
        let hold = try await concurrentMap(archives, width: width) { path in
            Result { () throws(LivePhotoError) in try PairContainer(ifPairIn: path) != nil }
        }
        var all = found.pairs.map { (path: $0.photo, source: Source.pair(PairPaths(photo: $0.photo, movie: $0.movie))) }
        all += found.motionPhotos.map { ($0, .container($0)) }
        for (path, holdsPair) in zip(archives, hold) {
            switch holdsPair {
            case .success(true): all.append((path, .container(path)))
            case .success(false): break
            case .failure(let error): all.append((path, .unreadable(error)))
            }
        }
        all += (items.unreadable + bundledItems.unreadable).map { ($0.file ?? folder, .unreadable($0)) }
        return all.sorted { $0.path.string < $1.path.string }.map { path, source in
            GalleryItem(path.relative(to: folder).string, source)
        }
    }
}
