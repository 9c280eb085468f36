import Bytes
import MediaModel
public import SystemPackage

/// Links the photos and movies in a folder tree that belong together by their names. `InPlaceUndo` undoes links in place.
///
/// The names may be those of an export: `IMG_1(1).HEIC` and `IMG_1.HEIC(1).MP4` belong together, and so do files in
/// different folders if no other files have their name. What the names do not prove, metadata have to (see `PairEvidence`),
/// or the pictures.
public struct FolderLinker: Sendable {
    /// Returns the time in the movie at which the photo was taken, as `StillChoice.moment` of LivePhotoRequests does.
    public typealias ChooseStill =
        @Sendable (_ photo: FilePath, _ movie: FilePath, _ search: StillSearch) async throws(LivePhotoError) ->
        StillMoment

    /// Makes a Live Photo of a photo and a clip.
    ///
    /// - Parameters:
    ///   - name: Of both files, without extension; nil for the photo's.
    ///   - identifier: Nil for a new one.
    public typealias ConvertClip =
        @Sendable (
            _ photo: FilePath, _ clip: FilePath, _ directory: FilePath, _ name: String?,
            _ identifier: ContentIdentifier?, _ replacesExisting: Bool
        ) async throws(LivePhotoError) -> LivePhoto

    /// The result for files of one name.
    public struct Outcome: Sendable, Hashable {
        /// What was done with the files, or why nothing was done.
        public enum Status: Sendable, Hashable {
            /// They were linked at this still time, which was determined in this way.
            case linked(LivePhotoLinker.Result, StillMoment.Source)
            /// In a dry run: they would be linked at this still time.
            case linkable(StillMoment, LivePhotoLinker.Plan)
            /// They are a good pair already, or the output folder has a good copy.
            case linkedAlready
            /// They are equal to the pair of this photo, of which a copy is or would be made.
            case copy(of: FilePath)
            /// The movie has a format that cannot be linked, and was converted with the photo.
            case converted(LivePhoto)
            /// In a dry run: it would be converted.
            case convertible
            /// It is ambiguous which of them belong together, or their identifiers link them to other files.
            case leftAlone(reason: String)
            /// The movie does not show what the photo shows, or is of another time: cameras reuse file names for unrelated
            /// pictures.
            case notAlike(reason: String)
            /// They could not be read or linked.
            case failed(LivePhotoError)
        }

        /// The files of that name; for a pair, the photo and the movie.
        public let files: [FilePath]
        /// What was done with the files.
        public let status: Status
    }

    /// The parts of a run, in this order.
    public enum Stage: String, Sendable, Hashable {
        /// Folders are listed, and content identifiers read.
        case reading
        /// The contents of pairs are compared.
        case comparing
        /// The dates of pairs are read, for folders by date.
        case dating
        /// Pairs are linked.
        case linking
        /// In a dry run: it is found out how pairs would be linked.
        case planning
    }

    /// How far a run is.
    public typealias Progress = StageProgress<Stage>

    /// Whether only to report what would be done.
    public var isDryRun: Bool
    /// Sorts copies into folders by date; nil for the folders of the tree. Then of equal pairs only the first is copied,
    /// if `identify` is set, and a name that other files have gets a number.
    public var folders: DateFolders?
    /// Makes the identifiers of pairs without one, so that all copies of a pair in a tree get the same one and are decoded
    /// once. Nil for random identifiers.
    public var identify: Identify?
    /// Identifiers that follow from the contents of both files.
    package static let byContents: Identify = { photo, movie, extent throws(LivePhotoError) in
        try ContentIdentifier(ofPhoto: photo, movie: movie, extent)
    }
    /// Whether to search every movie for its photo, even if the metadata prove that they belong together.
    public var comparesAll = false
    /// How many pairs may be changed in place at a time. They mostly wait for the disk, and the file system writes the
    /// changes of several at once. Each one is still on the disk before the next change of the same pair begins.
    public var changesAtOnce = 1
    /// Converts the movies in formats that cannot be linked; nil leaves them alone.
    public var convertClip: ConvertClip?
    let chooseStill: ChooseStill
    let linker = LivePhotoLinker()

    /// A linker that asks `chooseStill` for the still time of each pair whose metadata do not have it.
    public init(isDryRun: Bool = false, chooseStill: @escaping ChooseStill) {
        self.isDryRun = isDryRun
        self.chooseStill = chooseStill
    }

    /// Links the pairs. Cancelling the task ends it between two pairs, or before a copy is complete; completed pairs are
    /// kept.
    ///
    /// - Parameters:
    ///   - folder: The folder to search, with all folders below it.
    ///   - destination: An output folder gets the copies in the same subfolders. It is not searched for pairs.
    ///   - width: How many files are read, and how many pairs copied, at a time.
    ///   - progress: Called after each listed folder, file or pair.
    ///   - onOutcome: Called with each outcome.
    /// - Throws: `LivePhotoError` if the folder cannot be used; with the code `.cancelled` if the task was cancelled; errors
    ///   of `onOutcome`.
    public func link(
        below folder: FilePath, to destination: LivePhotoLinker.Destination, width: Int = 1,
        progress: (Progress) -> Void = { _ in }, onOutcome: (Outcome) throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            try await SidecarFolders.withRun {
                try await linkAll(below: folder, to: destination, width: width, progress, onOutcome)
            }
        }
    }

    private func linkAll(
        below folder: FilePath, to destination: LivePhotoLinker.Destination, width: Int,
        _ progress: (Progress) -> Void, _ onOutcome: (Outcome) throws -> Void
    ) async throws {
        try check(folder, destination)
        let (found, unreadable) = try await files(below: folder, to: destination, width: width, progress)
        for error in unreadable {
            try onOutcome(Outcome(files: [error.file].compactMap(\.self), status: .failed(error)))
        }
        let work = Work(
            root: folder, planning: TaskLimit(width),
            PairDecisions(comparesAll: comparesAll, chooseStill: chooseStill))
        defer { work.journal.close() }
        var done = 0
        var isCancelled = false
        /// The outcome for the first of equal pairs, by their content.
        var outcomes: [ContentIdentifier: Outcome] = [:]
        do {
            let jobs = try await jobs(found, below: folder, to: destination, width: width, progress)
            let atOnce = destination == .inPlace ? max(width, changesAtOnce) : width
            try await OutputFolders.withRun {
                try await concurrentForEach(jobs, width: atOnce) {
                    await complete($0, work)
                } body: { result in
                    let (job, status) = try result.get()
                    // Other pairs were linked at the same time.
                    if !status.isLinked, Task.isCancelled || status.isCancelled {
                        isCancelled = true
                        return
                    }
                    var outcome = Outcome(files: job.found.files, status: status)
                    if let content = job.sharedContent, folders != nil {
                        if job.isDuplicate, let first = outcomes[content] {
                            outcome = Outcome(files: outcome.files, status: first.statusOfCopy)
                        } else {
                            outcomes[content] = outcome
                        }
                    }
                    done += 1
                    try onOutcome(outcome)
                    progress(Progress(stage: isDryRun ? .planning : .linking, done: done, total: found.count))
                }
            }
        } catch is CancellationError {
            throw LivePhotoError.cancellation
        }
        if isCancelled { throw LivePhotoError.cancellation }
    }

    /// Reads the folder, finds what belongs together, and repairs what a killed run has left in it.
    private func files(
        below folder: FilePath, to destination: LivePhotoLinker.Destination, width: Int,
        _ progress: (Progress) -> Void
    ) async throws(LivePhotoError) -> (found: FoundFiles, unreadable: [LivePhotoError]) {
        let output: FilePath? = if case .directory(let directory, _) = destination { directory } else { nil }
        func report(_ done: Int, _ total: Int) { progress(Progress(stage: .reading, done: done, total: total)) }
        do {
            let tree = try await FileTree(
                below: [folder], without: output, movieKinds: FileTree.partnerExtensions,
                onFolder: { report(0, $0.photos.count + $0.movies.count) })
            if destination == .inPlace, !isDryRun {
                for folder in Set(tree.photos.map(\.folder)) { Publisher.removeLeftovers(in: folder) }
            }
            let total = tree.photos.count + tree.movies.count
            let items = try await TreeItems(tree, width: width) { report($0, total) }
            return (try items.namedPairs().found, items.unreadable)
        } catch {
            throw LivePhotoError.cancellation
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
        guard case .directory(let output, _) = destination, output.holds(folder) else { return }
        // The copies would be mixed with the files that they are made from.
        throw LivePhotoError(
            .invalidRequest, output,
            "is or holds the folder itself; name another one, or change the files in place")
    }
}

extension FilePath {
    /// Whether a folder is this one or below it, whatever links lead to it.
    func holds(_ folder: FilePath) -> Bool {
        guard let identity = FileIdentity(self, followingLink: true) else { return false }
        var parent = folder
        var seen: Set<FileIdentity> = []
        while let next = FileIdentity(parent, followingLink: true), seen.insert(next).inserted {
            if next == identity { return true }
            parent.append("..")
        }
        return false
    }
}

extension FolderLinker.Outcome.Status {
    fileprivate var isLinked: Bool {
        switch self {
        case .linked, .converted: true
        default: false
        }
    }

    fileprivate var isCancelled: Bool { if case .failed(let error) = self { error.code == .cancelled } else { false } }
}

extension FolderLinker.Outcome {
    /// The status of an equal pair in another folder, which is not copied again.
    fileprivate var statusOfCopy: Status {
        switch status {
        case .linked, .linkable, .converted, .convertible: files.first.map(Status.copy) ?? status
        case .linkedAlready, .copy, .leftAlone, .notAlike, .failed: status
        }
    }
}
