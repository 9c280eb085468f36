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

    private let output: FilePath
    /// Of the page; folders with more are for the commands.
    private static let most = 10_000
    /// Files that are read at a time.
    private static let width = 2

    init(output: FilePath) { self.output = output }

    /// - Throws: `LivePhotoError` if there is no such item.
    func item(_ id: Int) throws(LivePhotoError) -> StudioItem {
        guard items.indices.contains(id - 1) else {
            throw LivePhotoError(.noInput, nil, "there is no item \(id) here any more; load the page again")
        }
        return items[id - 1]
    }

    /// Finds what is in the files and folders.
    func search(_ inputs: [FilePath]) async {
        for input in inputs {
            if Task.isCancelled { return }
            if (try? input.stat().type) == .directory, input.extension?.lowercased() != "pvt" {
                await search(folder: input)
            } else {
                add(file: input)
            }
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
            case .pair(let pair): return .pair(pair)
            case .container: return .container(path)
            }
        } catch {
            return .unreadable(error)
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
                    case .pair(let pair): .pair(pair)
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
        items.append(
            StudioItem(
                id: items.count + 1, name: printable(name), folder: printable(folder), source: source,
                output: output ?? self.output, isUpload: isUpload))
    }
}
