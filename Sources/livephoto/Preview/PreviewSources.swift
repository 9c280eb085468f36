import LivePhotoBatch

/// The arguments of preview: pairs, containers and folders, in any order.
enum PreviewSources {
    /// - Parameter width: how many files are read at a time.
    /// - Throws: `LivePhotoError` for a file that does not exist or is no part of a pair, and for folders without Live Photos.
    static func items(_ arguments: [String], width: Int, _ progress: ProgressOptions) async throws -> [GalleryItem] {
        let search = ProgressDisplay("searching", progress.form)
        defer { search.clear() }
        var items: [GalleryItem] = []
        var files: [String] = []
        func addFiles() throws {
            let sources = files.isEmpty ? [] : try LivePhotoSource.all(files)
            items += try sources.map { source in
                let name = source.photo.lastComponent?.string ?? source.name
                if let container = source.container { return GalleryItem(name, .container(container.path)) }
                return GalleryItem(name, .pair(try source.files()))
            }
            files = []
        }
        for argument in arguments {
            let path = FilePath(argument: argument)
            guard (try? path.stat().type) == .directory else {
                files.append(argument)
                continue
            }
            try addFiles()
            items += try await GalleryItem.all(below: path, width: width) {
                search.show(found: $0, "file")
            }
        }
        try addFiles()
        guard !items.isEmpty else {
            throw LivePhotoError(
                .noInput, FilePath(argument: arguments[0]),
                "contains no Live Photo, motion photo or archive of one; 'convert' makes Live Photos of clips")
        }
        return items
    }
}
