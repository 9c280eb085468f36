import Bytes
import LivePhotoKit
import SystemPackage

/// The clips and Live Photos of the studio, which are found while the page is shown already.
actor ItemList {
    private(set) var items: [StudioItem] = []
    /// Whether everything has been searched.
    private(set) var isComplete = false
    /// What was left out, each one sentence.
    private(set) var notes: [String] = []

    private let inputs: [FilePath]
    private let output: FilePath
    /// Of the present search.
    private var found: Set<Int> = []
    /// Of the page; folders with more are for the commands.
    private static let most = 10_000
    /// Files that are read at a time.
    private static let width = 2

    init(_ inputs: [FilePath], output: FilePath) { (self.inputs, self.output) = (inputs, output) }

    /// - Throws: `LivePhotoError` if there is no such item.
    func item(_ id: Int) throws(LivePhotoError) -> StudioItem {
        guard items.indices.contains(id - 1) else {
            throw LivePhotoError(.noInput, nil, "there is no item \(id) here any more; load the page again")
        }
        return items[id - 1]
    }

    /// Finds what is in the files and folders. What is found again keeps its number.
    func search() async {
        isComplete = false
        found = []
        for input in inputs {
            if Task.isCancelled { return }
            if (try? input.stat().type) == .directory, input.extension?.lowercased() != "pvt" {
                await search(folder: input)
            } else {
                add(file: input)
            }
        }
        for index in items.indices where !items[index].isUpload {
            items[index].isGone = !found.contains(items[index].id)
        }
        isComplete = true
    }

    /// - Returns: the item of a file that was given in the page.
    func add(upload path: FilePath, named name: String) -> StudioItem {
        append(name, source(of: path), isUpload: true)
        return items[items.count - 1]
    }

    private func add(file path: FilePath) {
        append(path.lastComponent?.string ?? path.string, source(of: path))
    }

    private func source(of path: FilePath) -> StudioItem.Source {
        if LivePhotoFiles.isClip(path) { return .clip(path) }
        do throws(LivePhotoError) {
            switch try LivePhotoFiles(path) {
            case .pair(let pair): return Self.source(of: pair)
            case .container: return .container(path)
            }
        } catch {
            return .unreadable(error)
        }
    }

    /// A photo and a movie of one name may be no Live Photo yet.
    private static func source(of pair: PairPaths) -> StudioItem.Source {
        do throws(LivePhotoError) {
            _ = try LivePhoto(photo: pair.photo, movie: pair.movie)
            return .pair(pair)
        } catch {
            let movie = pair.movie.lastComponent?.string ?? ""
            return .unreadable(
                LivePhotoError(
                    error.code, pair.photo,
                    "is not linked to \(movie); \"Repair pairs\", or livephoto link, makes a Live Photo of both",
                    cause: error))
        }
    }

    private func search(folder: FilePath) async {
        do {
            let found = try await FolderClips(below: [folder], to: output, width: Self.width)
            for clip in found.clips(below: folder) {
                let place = clip.path.relative(to: folder)
                append(
                    place.lastComponent?.string ?? place.string, .clip(clip.path),
                    in: place.removingLastComponent().string, output: clip.directory)
            }
            for error in found.unreadable { append("\(error.file?.lastComponent?.string ?? "")", .unreadable(error)) }
            for item in try await GalleryItem.all(below: folder, width: Self.width, progress: { _ in }) {
                let place = FilePath(item.name)
                let source: StudioItem.Source =
                    switch item.source {
                    case .pair(let pair): Self.source(of: pair)
                    case .container(let path): .container(path)
                    case .unreadable(let error): .unreadable(error)
                    }
                append(
                    place.lastComponent?.string ?? item.name, source, in: place.removingLastComponent().string,
                    output: place.removingLastComponent().isEmpty
                        ? output : output.pushing(place.removingLastComponent()))
            }
        } catch {
            // Only the end of the program stops the search.
        }
    }

    private func append(
        _ name: String, _ source: StudioItem.Source, in folder: String = "", output: FilePath? = nil,
        isUpload: Bool = false
    ) {
        guard items.count < Self.most || isUpload else {
            let note = "only the first \(Self.most) are shown here; livephoto convert and livephoto import take all"
            if !notes.contains(note) { notes.append(note) }
            return
        }
        let item = StudioItem(
            id: items.count + 1, name: printable(name), folder: printable(folder), source: source,
            output: output ?? self.output, isUpload: isUpload)
        // A photo that got its movie is another item.
        if !isUpload, let path = item.path, let known = items.first(where: { $0.path == path && $0.kind == item.kind })
        {
            found.insert(known.id)
            return
        }
        found.insert(item.id)
        items.append(item)
    }
}
