import MediaModel
import StillImage
import SystemPackage

extension FolderLinker {
    /// A job and what to do.
    struct Planned: Sendable {
        var job: Job
        var status: Outcome.Status
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
            if pair.sharesIdentifier, try PairCheck.report(photo: photo, movie: movie).isGood {
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
        switch try await decisions.verdict(on: pair, plan.evidence, content: job.sharedContent) {
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
    func hasCopy(
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
                let report = try? PairCheck.report(photo: target.photo, movie: target.movie)
            else { return false }
            return report.isGood && report.contentIdentifier == content.string
        }
    }
}
