import MediaModel
import SystemPackage

/// What was decided about a candidate.
struct ImportDecision: Sendable {
    var items: [ImportItem] = []
    /// What needs no work, or the error that ends the import.
    var outcomes: Result<[LibraryImport.Outcome], LivePhotoError> = .success([])
}

extension ImportWork {
    /// Decides whether the files of a candidate belong together, unless the library has them.
    func decide(_ candidate: ImportCandidate) async -> ImportDecision {
        if let outcomes = present(candidate) { return ImportDecision(outcomes: .success(outcomes)) }
        do throws(LivePhotoError) {
            switch candidate {
            case .pair(let pair): return ImportDecision(items: try await items(of: pair))
            case .container(let path): return try decide(container: path)
            case .file(let path, let doubts): return ImportDecision(items: [ImportItem(.file(path), doubts: doubts)])
            case .apart(let files, let doubt):
                return ImportDecision(items: apart(files, doubt))
            }
        } catch {
            if error.code == .cancelled { return ImportDecision(outcomes: .failure(error)) }
            return ImportDecision(
                outcomes: .success([LibraryImport.Outcome(.failed(error), candidate.files)]))
        }
    }

    /// The outcomes for files of which the library has an item; nil if one of them is missing there, or has changed.
    private func present(_ candidate: ImportCandidate) -> [LibraryImport.Outcome]? {
        guard !log.isEmpty else { return nil }
        var entries: [(entry: ImportLog.Entry, first: FilePath, sources: [FilePath])] = []
        for path in candidate.files {
            guard let file = try? SourceFile(path), let entry = log.entry(of: file), log.isPresent(entry),
                let first = entry.files.first?.path.path
            else { return nil }
            if let index = entries.firstIndex(where: { $0.first == first }) {
                entries[index].sources.append(path)
            } else {
                entries.append((entry, first, [path]))
            }
        }
        // A sidecar may have come since.
        for (entry, _, sources) in entries {
            guard let photo = sources.first, let movie = sources.last else { continue }
            if mayBeBetterKnown(entry, OutsidePairMetadata.knowledge(photo: photo, movie: movie)) { return nil }
        }
        // A photo and a movie that were imported alone may belong together.
        if case .pair = candidate, entries.count > 1, entries.allSatisfy(\.entry.related.isEmpty) { return nil }
        return entries.map { present($0.sources, as: $0.entry) }
    }

    private func items(of pair: NamedPairs.Pair) async throws(LivePhotoError) -> [ImportItem] {
        let (photo, movie) = (pair.photo.path, pair.movie.path)
        func apart(_ doubt: Doubt) -> [ImportItem] {
            var items = self.apart([photo, movie], doubt)
            items[1].partner = pair.isClip ? photo : nil
            return items
        }
        if pair.isClip {
            return apart(
                Doubt(
                    "the movie is no MOV or MP4",
                    advice:
                        "both are copied as they are; livephoto convert MOVIE --photo PHOTO makes a Live Photo of them")
            )
        }
        do throws(LivePhotoError) {
            let evidence = try PairEvidence(of: pair)
            if pair.photo.isMotionPhoto, try PairEvidence.isMovieInPhoto(photo: photo, movie: movie) {
                return [ImportItem(.container(photo), sources: [photo, movie])]
            }
            switch try await verdict(on: pair, evidence) {
            case .together(let still):
                var item = ImportItem(.livePhoto(photo: photo, movie: movie, still: still.time))
                item.isInOneFolder = pair.isInOneFolder
                return [item]
            case .apart(let reason): return apart(Doubt(reason, advice: Self.apartAdvice))
            case .notAlike(let reason): return apart(Doubt(reason, advice: Self.apartAdvice))
            }
        } catch {
            guard error.code == .unusableMedia else { throw error }
            return apart(Doubt("\(error)", advice: "both are copied as they are"))
        }
    }

    /// Files of which it is uncertain whether they belong together.
    private func apart(_ files: [FilePath], _ doubt: Doubt) -> [ImportItem] {
        files.enumerated().map { index, path in
            var item = ImportItem(.file(path), doubts: index == 0 ? [doubt] : [])
            item.related = index == 0 ? Array(files.dropFirst()) : []
            return item
        }
    }

    private static let apartAdvice =
        "both are copied as they are; if they belong together, link them where they are (livephoto link PHOTO MOVIE --in-place), "
        + "undo the import and repeat it"

    private func decide(container path: FilePath) throws(LivePhotoError) -> ImportDecision {
        do throws(LivePhotoError) {
            guard let container = try PairContainer(ifPairIn: path) else {
                let isArchive = FileTree.archiveExtensions.contains(path.extension?.lowercased() ?? "")
                return isArchive
                    ? ImportDecision(outcomes: .success([.noMedia(path)]))
                    : ImportDecision(items: [ImportItem(.file(path))])
            }
            if options.form == .android, container.kind.isPhoto {
                return ImportDecision(items: [ImportItem(.file(path))])
            }
            let copy = try LivePhotoCopy(container, name: nil, to: library)
            try copy.checkLinkable()
            var item = ImportItem(.container(path))
            if !container.kind.isPhoto { item.dateInside = copy.date }
            return ImportDecision(items: [item])
        } catch {
            guard error.code == .unusableMedia, !path.isNamedAsBundle else { throw error }
            return ImportDecision(
                items: [ImportItem(.file(path), doubts: [Doubt("\(error)", advice: "it is copied as it is")])])
        }
    }
}

extension LibraryImport.Outcome {
    static func noMedia(_ path: FilePath) -> Self {
        Self(
            .leftOut, [path],
            doubts: [Doubt("is no photo, movie or Live Photo", advice: "copy it yourself if you need it")])
    }
}

extension PairContainer.Kind {
    /// Whether it is a photo with a movie in it.
    var isPhoto: Bool { ![.pvt, .livp, .zip].contains(self) }
}
