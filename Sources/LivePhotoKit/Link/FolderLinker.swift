import Bytes
public import SystemPackage

/// Links the photos and movies of a whole tree that have the same name in the same folder.
///
/// In place, a journal in the folder tells how to take it back: `LinkUndo` does.
public struct FolderLinker: Sendable {
    /// Tells the moment of a movie at which a photo was taken. `StillChoice.moment` of LivePhotoRequests does.
    public typealias ChooseStill =
        @Sendable (_ photo: FilePath, _ movie: FilePath) async throws(LivePhotoError) -> StillMoment

    /// What became of files of one name.
    public struct Outcome: Sendable, Hashable {
        public enum Status: Sendable, Hashable {
            case linked(LivePhotoLinker.Result, StillMoment.Source)
            /// In a dry run: would be linked.
            case linkable(StillMoment)
            /// They are a good pair already, or a good copy of it stands where it would go.
            case linkedAlready
            /// Which of them belong together cannot be told, or the pair is another.
            case leftAlone(reason: String)
            /// The movie does not show what the photo shows. Cameras that count from 1 again give one name to things that
            /// have nothing to do with each other.
            case notAlike(reason: String)
            case failed(LivePhotoError)
        }

        /// Of a pair, the photo and the movie.
        public let files: [FilePath]
        public let status: Status
    }

    /// Finds out all, and writes nothing.
    public var isDryRun: Bool
    private let chooseStill: ChooseStill
    private let linker = LivePhotoLinker()

    public init(isDryRun: Bool = false, chooseStill: @escaping ChooseStill) {
        self.isDryRun = isDryRun
        self.chooseStill = chooseStill
    }

    /// Goes through the tree, one pair after the other. Cancelling the task ends it between
    /// two pairs, or before a copy is whole: what is done stays done.
    ///
    /// - Parameters:
    ///   - destination: a folder gets the copies in folders like those of the tree. What is in it belongs not to the tree.
    ///   - width: how many files at a time are looked at for their identifiers.
    ///   - onOutcome: called with each outcome, the number of those that there are, and of all to come.
    /// - Throws: `LivePhotoError` where the folder cannot be worked on at all, with the code `.cancelled` where the task
    ///   was; what `onOutcome` throws.
    public func link(
        below folder: FilePath, to destination: LivePhotoLinker.Destination, width: Int = 1,
        onOutcome: (_ outcome: Outcome, _ done: Int, _ of: Int) throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            try await linkAll(below: folder, to: destination, width: width, onOutcome)
        }
    }

    private func linkAll(
        below folder: FilePath, to destination: LivePhotoLinker.Destination, width: Int,
        _ onOutcome: (_ outcome: Outcome, _ done: Int, _ of: Int) throws -> Void
    ) async throws {
        try check(folder, destination)
        let output: FilePath? = if case .directory(let directory, _) = destination { directory } else { nil }
        let tree = FileTree(below: [folder], without: output)
        if destination == .inPlace, !isDryRun {
            for folder in Set(tree.photos.map(\.folder)) { Publisher.removeLeftovers(in: folder) }
        }
        let items: TreeItems
        do {
            items = try await TreeItems(tree, width: width)
        } catch {
            throw LivePhotoError.cancellation
        }
        let found = NamedPairs(photos: items.photos, movies: items.movies).found
        let total = items.unreadable.count + found.count
        for (index, error) in items.unreadable.enumerated() {
            try onOutcome(Outcome(files: [error.file].compactMap(\.self), status: .failed(error)), index + 1, total)
        }
        var journal: LinkJournal?
        defer { journal?.removeIfEmpty() }
        for (index, found) in found.enumerated() {
            if Task.isCancelled { throw LivePhotoError.cancellation }
            let outcome: Outcome
            switch found {
            case .leftAlone(let files, let reason): outcome = Outcome(files: files, status: .leftAlone(reason: reason))
            case .pair(let photo, let movie, let sharesIdentifier):
                let place = destination.place(of: photo, below: folder)
                var status = await plan(photo, movie, sharesIdentifier, place)
                if case .linkable(let moment) = status, !isDryRun {
                    if place == .inPlace, journal == nil { journal = try LinkJournal(createdIn: folder) }
                    status = link(photo, movie, moment, to: place, journal)
                }
                if case .failed(let error) = status, error.code == .cancelled { throw error }
                outcome = Outcome(files: [photo, movie], status: status)
            }
            try onOutcome(outcome, items.unreadable.count + index + 1, total)
        }
    }

    private func check(_ folder: FilePath, _ destination: LivePhotoLinker.Destination) throws(LivePhotoError) {
        do {
            guard try folder.stat().type == .directory else {
                throw LivePhotoError(.invalidRequest, folder, "is no folder; link a single pair by naming its files")
            }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: folder, error)
        }
        guard case .directory(let output, _) = destination, let identity = FileIdentity(output, followingLink: true)
        else { return }
        // Copies would come among the files that they are made from.
        var parent = folder
        var seen: Set<FileIdentity> = []
        while let next = FileIdentity(parent, followingLink: true), seen.insert(next).inserted {
            if next == identity {
                throw LivePhotoError(
                    .invalidRequest, output,
                    "is or holds the folder itself; name another one, or change the files in place")
            }
            parent.append("..")
        }
    }

    /// What is to be done with a pair: nothing of it is done.
    private func plan(
        _ photo: FilePath, _ movie: FilePath, _ sharesIdentifier: Bool, _ place: LivePhotoLinker.Destination
    ) async -> Outcome.Status {
        do throws(LivePhotoError) {
            switch place {
            case .inPlace:
                if sharesIdentifier, try LivePhotoVerifier().verify(photo: photo, movie: movie).isGood {
                    return .linkedAlready
                }
            case .directory(let directory, let replacesExisting):
                if !replacesExisting, try linker.hasCopy(photo: photo, movie: movie, in: directory) {
                    return .linkedAlready
                }
            }
            try linker.checkLinkable(photo: photo, movie: movie, to: place)
            let moment = try await chooseStill(photo, movie)
            // By their identifier they belong together, whatever they show.
            if case .guess(let reason) = moment.source, !sharesIdentifier { return .notAlike(reason: reason) }
            return .linkable(moment)
        } catch {
            return .failed(error)
        }
    }

    private func link(
        _ photo: FilePath, _ movie: FilePath, _ moment: StillMoment, to place: LivePhotoLinker.Destination,
        _ journal: LinkJournal?
    ) -> Outcome.Status {
        do throws(LivePhotoError) {
            let result = try linker.link(
                photo: photo, movie: movie, stillTime: moment.time, to: place, noting: journal)
            return .linked(result, moment.source)
        } catch {
            return .failed(error)
        }
    }
}

extension LivePhotoLinker.Destination {
    /// For a file of a tree: in the folder that mirrors its own.
    fileprivate func place(of file: FilePath, below root: FilePath) -> Self {
        guard case .directory(let directory, let replacesExisting) = self else { return self }
        return .directory(file.folder(from: root, to: directory), replacesExisting: replacesExisting)
    }
}
