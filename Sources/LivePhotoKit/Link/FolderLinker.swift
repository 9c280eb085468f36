import Bytes
public import SystemPackage

/// Links the photos and movies in a folder tree that belong together by their names. `LinkUndo` undoes links in place.
///
/// The names may be those of an export: `IMG_1(1).HEIC` and `IMG_1.HEIC(1).MP4` belong together, and so do files in
/// different folders if no other files have their name and the movie shows the photo.
public struct FolderLinker: Sendable {
    /// Returns the time in the movie at which the photo was taken, as `StillChoice.moment` of LivePhotoRequests does. With
    /// `mustMatch`, the source of the time is a frame that shows the photo, or it is a guess.
    public typealias ChooseStill =
        @Sendable (_ photo: FilePath, _ movie: FilePath, _ mustMatch: Bool) async throws(LivePhotoError) -> StillMoment

    /// The result for files of one name.
    public struct Outcome: Sendable, Hashable {
        /// What was done with the files, or why nothing was done.
        public enum Status: Sendable, Hashable {
            /// They were linked at this still time, which was determined in this way.
            case linked(LivePhotoLinker.Result, StillMoment.Source)
            /// In a dry run: these files would be written.
            case linkable(StillMoment, files: [FilePath])
            /// They are a good pair already, or the output folder has a good copy.
            case linkedAlready
            /// It is ambiguous which of them belong together, or their identifiers link them to other files.
            case leftAlone(reason: String)
            /// The movie does not show what the photo shows: cameras reuse file names for unrelated pictures.
            case notAlike(reason: String)
            /// They could not be read or linked.
            case failed(LivePhotoError)
        }

        /// The files of that name; for a pair, the photo and the movie.
        public let files: [FilePath]
        /// What was done with the files.
        public let status: Status
    }

    /// Whether only to report what would be done.
    public var isDryRun: Bool
    private let chooseStill: ChooseStill
    private let linker = LivePhotoLinker()

    /// A linker that asks `chooseStill` for the still time of each pair that is not linked yet.
    public init(isDryRun: Bool = false, chooseStill: @escaping ChooseStill) {
        self.isDryRun = isDryRun
        self.chooseStill = chooseStill
    }

    /// Links the pairs one after the other. Cancelling the task ends it between two pairs, or before a copy is complete;
    /// completed pairs are kept.
    ///
    /// - Parameters:
    ///   - folder: The folder to search, with all folders below it.
    ///   - destination: An output folder gets the copies in the same subfolders. It is not searched for pairs.
    ///   - width: How many files are read at a time.
    ///   - onOutcome: Called with each outcome, the number of outcomes so far, and their total.
    /// - Throws: `LivePhotoError` if the folder cannot be used; with the code `.cancelled` if the task was cancelled; errors
    ///   of `onOutcome`.
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
        let items: TreeItems
        do {
            let tree = try await FileTree(
                below: [folder], without: output,
                movieKinds: FileTree.movieExtensions.union(ExportedName.motionExtensions))
            if destination == .inPlace, !isDryRun {
                for folder in Set(tree.photos.map(\.folder)) { Publisher.removeLeftovers(in: folder) }
            }
            items = try await TreeItems(tree, width: width)
        } catch {
            throw LivePhotoError.cancellation
        }
        let found = NamedPairs(
            photos: items.photos, movies: items.movies, haveSameContent: FileSystem.haveSameContent
        ).found
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
            case .pair(let pair):
                let (photo, movie) = (pair.photo.path, pair.movie.path)
                let place = destination.place(of: photo, below: folder)
                var status = await plan(pair, place)
                if case .linkable(let moment, _) = status, !isDryRun {
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
                throw LivePhotoError(.invalidRequest, folder, "is not a folder; to link a single pair, name both files")
            }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: folder, error)
        }
        guard case .directory(let output, _) = destination, let identity = FileIdentity(output, followingLink: true)
        else { return }
        // The copies would be mixed with the files that they are made from.
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

    /// Decides what to do with a pair, without writing anything.
    private func plan(_ pair: NamedPairs.Pair, _ place: LivePhotoLinker.Destination) async -> Outcome.Status {
        let (photo, movie) = (pair.photo.path, pair.movie.path)
        do throws(LivePhotoError) {
            switch place {
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
                if !replacesExisting, try linker.hasCopy(photo: photo, movie: movie, in: directory) {
                    return .linkedAlready
                }
            }
            let files = try linker.checkLinkable(photo: photo, movie: movie, to: place)
            let mustMatch = !pair.isInOneFolder && !pair.sharesIdentifier
            let moment = try await chooseStill(photo, movie, mustMatch)
            // A shared identifier proves that they belong together, whatever they show.
            guard case .guess(let reason) = moment.source, !pair.sharesIdentifier else {
                return .linkable(moment, files: files)
            }
            return mustMatch ? .leftAlone(reason: "in different folders, and \(reason)") : .notAlike(reason: reason)
        } catch {
            // Only their name brought them together.
            return error.code == .unusableMedia && !pair.isInOneFolder && !pair.sharesIdentifier
                ? .leftAlone(reason: "in different folders, and \(error)") : .failed(error)
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
    /// The destination of a file in a tree: an output folder gets the same subfolders.
    fileprivate func place(of file: FilePath, below root: FilePath) -> Self {
        guard case .directory(let directory, let replacesExisting) = self else { return self }
        return .directory(file.folder(from: root, to: directory), replacesExisting: replacesExisting)
    }
}
