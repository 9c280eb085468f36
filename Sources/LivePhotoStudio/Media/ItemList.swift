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
    /// The numbers of items that have a path.
    private var known: [Key: Int] = [:]
    /// Those that the present search has found.
    private var found: Set<Int> = []
    private var searching: Task<Void, Never>?

    private struct Key: Hashable {
        let path: FilePath
        let kind: String
    }

    /// What a search finds.
    private struct Finding: Sendable {
        let name: String
        let source: StudioItem.Source
        var folder = ""
        var output: FilePath?
    }

    /// More are left to the commands.
    private static let most = 10_000
    /// Files that are read at a time.
    private static let width = 2

    init(_ inputs: [FilePath], output: FilePath) { (self.inputs, self.output) = (inputs, output) }

    /// - Throws: `LivePhotoError` if there is no such item.
    func item(_ id: Int) throws(LivePhotoError) -> StudioItem {
        guard items.indices.contains(id - 1) else {
            throw LivePhotoError(.noInput, nil, "there is no item \(id) here; load the page again")
        }
        return items[id - 1]
    }

    /// Finds what is in the files and folders, after searches that have begun. What is found again keeps its number.
    func search() async {
        let former = searching
        let task = Task(executorPreference: BlockingExecutor.shared) {
            await former?.value
            await self.searchNow()
        }
        searching = task
        await task.value
    }

    /// Ends searching.
    func stop() { searching?.cancel() }

    private func searchNow() async {
        (isComplete, found) = (false, [])
        for input in inputs {
            guard let findings = try? await Self.findings(in: input, output) else { return }
            for finding in findings { append(finding) }
        }
        for index in items.indices where !items[index].isUpload {
            items[index].isGone = !found.contains(items[index].id)
        }
        isComplete = true
    }

    /// - Throws: `CancellationError`.
    private static func findings(in input: FilePath, _ output: FilePath) async throws -> [Finding] {
        guard input.isFolderOfItems else {
            return [Finding(name: input.lastComponent?.string ?? input.string, source: source(of: input))]
        }
        let clips = try await FolderClips(below: [input], to: output, width: width)
        let pairs = try await GalleryItem.all(below: input, width: width) { _ in }
        var findings = clips.clips(below: input).map { clip in
            let place = clip.path.relative(to: input)
            return Finding(
                name: place.lastComponent?.string ?? place.string, source: .clip(clip.path),
                folder: place.removingLastComponent().string, output: clip.directory)
        }
        findings += clips.unreadable.map {
            Finding(name: $0.file?.lastComponent?.string ?? "", source: .unreadable($0))
        }
        for item in pairs {
            try Task.checkCancellation()
            let place = FilePath(item.name)
            let folder = place.removingLastComponent()
            let source: StudioItem.Source =
                switch item.source {
                case .pair(let pair): source(of: pair)
                case .container(let path): .container(path)
                case .unreadable(let error): .unreadable(error)
                }
            findings.append(
                Finding(
                    name: place.lastComponent?.string ?? item.name, source: source, folder: folder.string,
                    output: folder.isEmpty ? output : output.pushing(folder)))
        }
        return findings
    }

    private static func source(of path: FilePath) -> StudioItem.Source {
        if LivePhotoFiles.isClip(path) { return .clip(path) }
        do throws(LivePhotoError) {
            switch try LivePhotoFiles(path) {
            case .pair(let pair): return source(of: pair)
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
            let advice = "\"Repair pairs\", or livephoto link, makes a Live Photo of both"
            return .unreadable(
                LivePhotoError(error.code, pair.photo, "is not linked to \(movie); \(advice)", cause: error))
        }
    }

    /// - Returns: the item of a file that was given in the page.
    func add(upload path: FilePath, named name: String) async -> StudioItem {
        let source = await withTaskExecutorPreference(BlockingExecutor.shared) { Self.source(of: path) }
        if case .pair(let pair) = source {
            // It was given before its photo.
            for index in items.indices where items[index].isUpload && items[index].path == pair.movie {
                items[index].isGone = true
            }
        }
        return append(Finding(name: name, source: source), isUpload: true)
    }

    @discardableResult
    private func append(_ finding: Finding, isUpload: Bool = false) -> StudioItem {
        let item = StudioItem(
            id: items.count + 1, name: printable(finding.name), folder: printable(finding.folder),
            source: finding.source, output: finding.output ?? output, isUpload: isUpload)
        // A photo that got its movie is another item.
        let key = item.path.map { Key(path: $0, kind: item.kind) }
        if let key, let number = known[key] {
            found.insert(number)
            return items[number - 1]
        }
        guard items.count < Self.most || isUpload else {
            let note = "only the first \(Self.most) are shown here; livephoto convert and livephoto import take all"
            if !notes.contains(note) { notes.append(note) }
            return item
        }
        if let key { known[key] = item.id }
        found.insert(item.id)
        items.append(item)
        return item
    }
}

extension FilePath {
    /// Whether it is a folder in which items are, and no bundle.
    var isFolderOfItems: Bool { (try? stat().type) == .directory && self.extension?.lowercased() != "pvt" }
}
