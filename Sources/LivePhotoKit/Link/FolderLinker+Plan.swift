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
        var content: ContentIdentifier?
        /// The content identifier to write; nil for that of the files, or a new one.
        var identifier: ContentIdentifier?
        /// Whether the copies of an equal pair have this place.
        var isDuplicate = false
    }

    /// A job and what to do.
    struct Planned: Sendable {
        var job: Job
        var status: Outcome.Status
    }

    /// Gives each pair the place of its copies.
    ///
    /// - Throws: `CancellationError`.
    func jobs(
        _ found: [NamedPairs.Found], below root: FilePath, to destination: LivePhotoLinker.Destination, width: Int
    ) async throws -> [Job] {
        var jobs = zip(found, try await contents(of: found, width: width)).map { Job(found: $0, content: $1) }
        guard case .directory(let output, let replacesExisting) = destination else { return jobs }
        if folders != nil { try await moveBestFirst(&jobs, width: width) }
        let dateFolders = try await concurrentMap(jobs, width: width) { dateFolder(of: $0.found) }
        var places = CopyPlaces()
        var listings = FolderListings()
        var withoutLeftovers: Set<FilePath> = []
        for index in jobs.indices {
            try Task.checkCancellation()
            guard case .pair(let pair) = jobs[index].found else { continue }
            let (photo, content) = (pair.photo.path, jobs[index].content)
            let directory = dateFolders[index].map { output.pushing($0) } ?? photo.folder(from: root, to: output)
            jobs[index].place = .directory(directory, replacesExisting: replacesExisting)
            // Half of a copy would take a name, and where all copies are complete, nothing is written.
            if !isDryRun, withoutLeftovers.insert(directory).inserted { Publisher.removeLeftovers(in: directory) }
            let name = places.name(of: photo, in: directory, content: folders == nil ? nil : content) { name in
                // In folders like those of the tree, other files of that name are reported.
                guard folders != nil, !replacesExisting,
                    listings.hasPair(named: name ?? photo.lastComponent?.base.string ?? "", in: directory)
                else { return true }
                return (try? hasCopy(of: pair, named: name, in: directory, content: content)) ?? false
            }
            switch name {
            case .new(let name): jobs[index].name = name
            case .taken: jobs[index].isDuplicate = true
            }
        }
        return jobs
    }

    /// Moves the pair about which most is known before the others of equal content, because only the first is copied.
    ///
    /// - Throws: `CancellationError`.
    private func moveBestFirst(_ jobs: inout [Job], width: Int) async throws {
        let found = jobs.map(\.found)
        let groups = Dictionary(grouping: jobs.indices.filter { jobs[$0].content != nil }) { jobs[$0].content }
        let several = groups.values.filter { $0.count > 1 }
        let best = try await concurrentMap(several, width: width) { group in
            group.map { (index: $0, rank: Self.rank(found[$0])) }.max { $0.rank < $1.rank }?.index ?? group[0]
        }
        for (group, best) in zip(several, best) where best != group[0] { jobs.swapAt(group[0], best) }
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

    /// Decides what to do with a pair, without writing anything.
    func plan(_ job: Job, _ decisions: PairDecisions) async -> Planned {
        var planned = Planned(job: job, status: .linkedAlready)
        switch job.found {
        case .leftAlone(_, let doubt): planned.status = .leftAlone(reason: doubt.description)
        case .pair(let pair):
            // Decided when the status of the first pair is known.
            guard !job.isDuplicate else { return planned }
            do throws(LivePhotoError) {
                planned.status = try await status(of: pair, &planned.job, decisions)
            } catch {
                // Files in different folders were brought together by their names alone.
                planned.status =
                    error.code == .unusableMedia && !pair.isInOneFolder && !pair.sharesIdentifier
                    ? .leftAlone(reason: "in different folders, and \(error)") : .failed(error)
            }
        }
        return planned
    }

    private func status(
        of pair: NamedPairs.Pair, _ job: inout Job, _ decisions: PairDecisions
    ) async throws(LivePhotoError) -> Outcome.Status {
        let (photo, movie) = (pair.photo.path, pair.movie.path)
        let content = folders == nil && !pair.isClip ? nil : job.content
        if pair.isClip, let reason = reasonAgainstConverting(movie, job.place) { return .leftAlone(reason: reason) }
        switch job.place {
        case .inPlace:
            if pair.sharesIdentifier, try LivePhotoVerifier().verify(photo: photo, movie: movie).isGood {
                return .linkedAlready
            }
            if !pair.isInOneFolder {
                return .leftAlone(
                    reason: "they are in different folders and cannot be changed together; --output makes copies "
                        + "in one folder if the movie shows the photo")
            }
        case .directory(let directory, let replacesExisting):
            if !replacesExisting, try hasCopy(of: pair, named: job.name, in: directory, content: content) {
                return .linkedAlready
            }
        }
        if pair.isClip { return .convertible }
        let plan = try linker.plan(
            photo: photo, movie: movie, name: job.name, to: job.place, hasWholeName: pair.hasWholeName)
        let hasNoIdentifier = pair.photo.identifier == nil && pair.movie.identifier == nil
        if hasNoIdentifier { job.identifier = job.content }
        switch try await decisions.verdict(on: pair, plan.evidence, content: job.content) {
        case .together(let moment): return .linkable(moment, plan)
        case .apart(let reason): return .leftAlone(reason: reason)
        case .notAlike(let reason): return .notAlike(reason: reason)
        }
    }

    /// Why a movie in a format that cannot be linked is not converted; nil if it is.
    private func reasonAgainstConverting(_ clip: FilePath, _ place: LivePhotoLinker.Destination) -> String? {
        guard let name = clip.lastComponent?.string else { return nil }
        guard place != .inPlace else {
            return "\(name) is no MOV or MP4; --output with --convert-others converts it, into a copy"
        }
        return convertClip == nil ? "\(name) is no MOV or MP4; --convert-others converts it" : nil
    }

    /// Whether a folder has the copies that would be made of a pair.
    ///
    /// - Parameter content: The identifier of copies of files that have none.
    /// - Throws: `LivePhotoError` for files that cannot be linked.
    private func hasCopy(
        of pair: NamedPairs.Pair, named name: String?, in directory: FilePath, content: ContentIdentifier?
    ) throws(LivePhotoError) -> Bool {
        guard pair.isClip else {
            return try linker.hasCopy(
                photo: pair.photo.path, movie: pair.movie.path, name: name, in: directory, identifier: content)
        }
        guard let content, let base = name.map({ FilePath.Component($0) }) ?? pair.photo.path.lastComponent?.base else {
            return false
        }
        // The identifier is that of the contents, so nothing else has it.
        return [PhotoMetadata.Format?.none, .heic].contains { (format: PhotoMetadata.Format?) -> Bool in
            let target = PublishTarget(directory: directory, name: base, photo: format)
            guard FileSystem.exists(target.photo), FileSystem.exists(target.movie),
                let report = try? LivePhotoVerifier().verify(photo: target.photo, movie: target.movie)
            else { return false }
            return report.isGood && report.contentIdentifier == content.string
        }
    }
}
