import Bytes
import MediaModel
import StillImage
import SystemPackage

/// Makes the items of a library.
struct ImportMaker: Sendable {
    private let work: ImportWork
    private var options: LibraryImport { work.options }

    init(_ work: ImportWork) { self.work = work }

    /// Makes an item at its place.
    ///
    /// - Parameters:
    ///   - replacing: Whether files that are there are replaced.
    ///   - willPublish: Called with the complete files before they appear, under the names that they will have.
    /// - Throws: `LivePhotoError`.
    func make(
        _ item: ImportItem, at place: ImportPlace, replacing: Bool,
        willPublish: @escaping @Sendable ([FilePath]) throws -> Void
    ) async throws(LivePhotoError) {
        guard item.isLivePhoto else {
            return try FileCopy(of: item, at: place).write(
                asHardLink: options.usesHardLinks, replacing: replacing
            ) { try willPublish([$0]) }
        }
        guard options.form != .apple else {
            try livePhoto(of: item, at: place)?.write(
                asHardLinks: options.usesHardLinks, replacing: replacing, willPublish: willPublish)
            return
        }
        // With the dates and places that the other forms get too.
        let folder: WorkFolder
        do throws(Errno) {
            folder = try WorkFolder(in: OutputDirectory.nearest(to: place.folder))
        } catch {
            throw LivePhotoError(writing: place.folder, error)
        }
        defer { folder.remove() }
        let linked = try livePhoto(of: item, at: ImportPlace(folder: folder.new, name: place.name))
        guard let linked else { return }
        try linked.write(replacing: false)
        if options.form == .plain {
            try LivePhotoLinker().unlink(
                photo: linked.target.photo, movie: linked.target.movie, name: nil,
                to: .directory(place.folder, replacesExisting: replacing), willPublish: willPublish)
            return
        }
        var transfer = PairTransfer()
        transfer.replacesExisting = replacing
        transfer.willPublish = { try willPublish([$0]) }
        let target = place.folder.file(
            place.name.appending(Self.motionPhotoExtension(linked)))
        let outcome =
            if let encoder = options.encoder {
                await transfer.pack(
                    photo: linked.target.photo, movie: linked.target.movie, as: .motionPhoto, to: target, with: encoder)
            } else {
                transfer.pack(photo: linked.target.photo, movie: linked.target.movie, as: .motionPhoto, to: target)
            }
        if case .failed(let error) = outcome.state { throw error }
        // It is there already, but what is known of it has changed.
        guard case .present = outcome.state else { return }
        do {
            try willPublish([target])
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(writing: target, error)
        }
    }

    /// The kind of item that this becomes.
    func kind(of item: ImportItem) -> LibraryImport.Kind { item.isLivePhoto ? options.form.kind : .file }

    /// The files that will be written, and what they leave out or cannot have.
    func files(
        of item: ImportItem, at place: ImportPlace
    ) throws(LivePhotoError) -> (files: [FilePath], doubts: [Doubt]) {
        guard let copy = try livePhoto(of: item, at: place) else {
            let copy = try FileCopy(of: item, at: place)
            return ([copy.target], copy.doubts)
        }
        let files =
            options.form == .android
            ? [place.folder.file(place.name.appending(Self.motionPhotoExtension(copy)))]
            : [copy.target.photo, copy.target.movie]
        return (files, copy.notes.map { Doubt($0) })
    }

    private static func motionPhotoExtension(_ copy: LivePhotoCopy) -> String {
        copy.source.photoMetadata.format == .heic ? ".heic" : ".jpg"
    }

    /// Whether a place has exactly what an item becomes.
    func isPresent(_ item: ImportItem, at place: ImportPlace) -> Bool {
        do throws(LivePhotoError) {
            guard let copy = try livePhoto(of: item, at: place) else {
                return try FileCopy(of: item, at: place).isPresent
            }
            // What another form would be is known only when it is made.
            return options.form == .apple && copy.isPresent
        } catch {
            return false
        }
    }

    /// The Live Photo that an item becomes; nil for a file.
    private func livePhoto(of item: ImportItem, at place: ImportPlace) throws(LivePhotoError) -> LivePhotoCopy? {
        switch item.content {
        case .file: nil
        case .container(let path):
            try LivePhotoCopy(
                PairContainer(path), usual: place.name, to: place.folder, addsMetadata: true,
                identifier: identifier(of: item))
        case .livePhoto(let photo, let movie, let still):
            try LivePhotoCopy(
                photo: photo, movie: movie, stillTime: still, identifier: identifier(of: item), name: place.name,
                to: place.folder)
        }
    }

    /// The identifier of a pair without one, which depends only on the content of its files, so that an import that was
    /// interrupted is continued with the same.
    private func identifier(of item: ImportItem) throws(LivePhotoError) -> ContentIdentifier? {
        var digests: [String] = []
        for path in item.sources { digests.append(try work.digests.read(path).sha256.description) }
        return ContentIdentifier(derivedFrom: "import \(digests.joined(separator: " "))")
    }
}
