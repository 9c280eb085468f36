import MediaModel
import StillImage
import SystemPackage

extension FolderLinker {
    /// Files of one name and the place of their copies.
    struct Job: Sendable {
        let found: NamedPairs.Found
        var place = LivePhotoLinker.Destination.inPlace
        /// Nil for the photo's name.
        var name: String?
        /// Nil if it is not known.
        let content: ContentIdentifier?
        /// The content, if other pairs have it too.
        let sharedContent: ContentIdentifier?
        /// The content identifier to write; nil for that of the files, or a new one.
        var identifier: ContentIdentifier?
        /// Whether the copies of an equal pair have this place.
        var isDuplicate = false
    }

    /// The jobs of a run. Each is made when it is asked for: all of them together would take much memory.
    struct Jobs: RandomAccessCollection, Sendable {
        fileprivate let found: FoundFiles
        fileprivate let contents: Contents
        fileprivate let destination: LivePhotoLinker.Destination
        /// The pairs that change places with others of equal content.
        fileprivate var exchanged: [Int: Int] = [:]
        /// The places of the copies; nil for the place of an equal pair, and for what is no pair. Empty for changes in place.
        fileprivate var places: [CopyPlaces.Place?] = []
        fileprivate var copyPlaces = CopyPlaces()

        var startIndex: Int { found.startIndex }
        var endIndex: Int { found.endIndex }

        subscript(index: Int) -> Job {
            let number = exchanged[index] ?? index
            var job = Job(
                found: found[number], content: contents[number], sharedContent: contents.shared(by: number))
            guard case .directory(_, let replacesExisting) = destination, case .pair(let pair) = job.found else {
                return job
            }
            guard let place = places[index] else {
                job.isDuplicate = true
                return job
            }
            let (folder, name) = copyPlaces.copies(of: pair.photo.path, at: place)
            job.place = .directory(folder, replacesExisting: replacesExisting)
            job.name = name
            return job
        }
    }

    /// Gives each pair the place of its copies.
    ///
    /// - Throws: `CancellationError`.
    func jobs(
        _ found: FoundFiles, below root: FilePath, to destination: LivePhotoLinker.Destination, width: Int,
        _ progress: (Progress) -> Void
    ) async throws -> Jobs {
        let contents = try await contents(of: found, width: width, progress)
        var jobs = Jobs(found: found, contents: contents, destination: destination)
        guard case .directory(let output, let replacesExisting) = destination else { return jobs }
        if folders != nil { try await moveBestFirst(&jobs, width: width) }
        let order = jobs.indices.map { jobs.exchanged[$0] ?? $0 }
        var copied: Set<ContentIdentifier> = []
        var listings = FolderListings()
        jobs.places.reserveCapacity(order.count)
        try await concurrentForEach(order, width: width) {
            dateFolder(of: found[$0])
        } body: { dateFolder in
            if folders != nil { progress(Progress(stage: .dating, done: jobs.places.count + 1, total: found.count)) }
            let number = order[jobs.places.count]
            guard case .pair(let pair) = found[number] else { return jobs.places.append(nil) }
            let content = folders == nil ? nil : contents.shared(by: number)
            if let content, !copied.insert(content).inserted { return jobs.places.append(nil) }
            let photo = pair.photo.path
            let folder = dateFolder.map { output.pushing($0) } ?? photo.folder(from: root, to: output)
            let place = jobs.copyPlaces.place(of: photo, in: folder) {
                // Half of a copy would take a name, and where all copies are complete, nothing is written.
                if !isDryRun { Publisher.removeLeftovers(in: folder) }
            } isFree: { name in
                // In folders like those of the tree, other files of that name are reported.
                guard folders != nil, !replacesExisting,
                    let base = name ?? photo.lastComponent?.base, listings.hasPair(named: base, in: folder)
                else { return true }
                return (try? hasCopy(of: pair, named: name?.string, in: folder, content: contents[number]))
                    ?? false
            }
            jobs.places.append(place)
        }
        return jobs
    }

    /// Puts the pair about which most is known before the others of equal content, because only the first is copied.
    ///
    /// - Throws: `CancellationError`.
    private func moveBestFirst(_ jobs: inout Jobs, width: Int) async throws {
        let found = jobs.found
        let several = jobs.contents.groups
        let best = try await concurrentMap(several, width: width) { group in
            group.map { (index: $0, rank: Self.rank(found[$0])) }.max { $0.rank < $1.rank }?.index ?? group[0]
        }
        for (group, best) in zip(several, best) where best != group[0] {
            (jobs.exchanged[group[0]], jobs.exchanged[best]) = (best, group[0])
        }
    }

    private static func rank(_ found: NamedPairs.Found) -> Int {
        guard case .pair(let pair) = found else { return 0 }
        return OutsidePairMetadata.rank(
            photo: pair.photo.path, movie: pair.movie.path, areInOneFolder: pair.isInOneFolder)
    }

    /// The folder by date of a pair, if copies go to such folders.
    private func dateFolder(of found: NamedPairs.Found) -> FilePath? {
        guard let folders, case .pair(let pair) = found else { return nil }
        return folders.folder(for: DateFolders.date(ofPhoto: pair.photo.path, movie: pair.movie.path))
    }
}
