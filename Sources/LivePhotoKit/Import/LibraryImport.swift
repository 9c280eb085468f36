public import SystemPackage

/// Makes one library of folders of photos and movies, such as an export or a backup of a phone: Live Photos are linked,
/// motion photos extracted, everything else is copied, each once, into folders by date. A log in the library records what
/// was made of what, so that a second import copies only what is new, and everything can be undone (`ImportUndo`).
///
/// ```swift
/// let library = LibraryImport { try await engine.stillMoment(of: $0, in: $1, StillChoice(search: $2)) }
/// try await library.run(["Takeout"], to: "Library") { outcome in print(outcome) }
/// ```
public struct LibraryImport: Sendable {
    /// What becomes of Live Photos and motion photos.
    public enum Form: String, Sendable, Hashable, CaseIterable {
        /// Live Photos: a key photo and a paired video.
        case apple
        /// Motion photos: a JPEG or HEIC with the movie in it.
        case android
        /// An ordinary photo and an ordinary movie of one name.
        case plain
    }

    /// What an item of the library is.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// A key photo and a paired video.
        case livePhoto = "live-photo"
        /// A photo with a movie in it.
        case motionPhoto = "motion-photo"
        /// A photo and a movie of one name that are not linked.
        case photoAndMovie = "photo-and-movie"
        /// A copy of a photo or a movie.
        case file
    }

    /// What was done with a source.
    public enum Status: Sendable, Hashable {
        /// An item was made of it.
        case made(Kind)
        /// In a dry run: an item would be made.
        case planned(Kind)
        /// The library has had the item.
        case present(Kind)
        /// It has the same content as a file that the library has, or another one that is imported.
        case copy(of: FilePath)
        /// It is no photo, movie or Live Photo.
        case leftOut
        /// It could not be read or written.
        case failed(LivePhotoError)
    }

    /// The result for the files of one item.
    public struct Outcome: Sendable, Hashable {
        /// What was done with them.
        public let status: Status
        /// The files that were read.
        public let sources: [FilePath]
        /// The files in the library.
        public let files: [FilePath]
        /// What a person should look at.
        public let doubts: [Doubt]
        /// Files of other outcomes that the doubts are also about.
        public let related: [FilePath]

        init(
            _ status: Status, _ sources: [FilePath], files: [FilePath] = [], doubts: [Doubt] = [],
            related: [FilePath] = []
        ) {
            (self.status, self.sources, self.files) = (status, sources, files)
            (self.doubts, self.related) = (doubts, related)
        }
    }

    /// The parts of an import, in this order.
    public enum Stage: String, Sendable, Hashable {
        /// Folders are listed, and content identifiers read.
        case reading
        /// It is decided what belongs together.
        case pairing
        /// Files of one size are compared.
        case comparing
        /// Dates are read.
        case dating
        /// Items are made.
        case copying
        /// In a dry run: it is found out what would be made.
        case planning
    }

    /// How far an import is.
    public typealias Progress = StageProgress<Stage>

    /// What becomes of Live Photos and motion photos.
    public var form = Form.apple
    /// The folders of the library.
    public var folders: DateFolders
    /// Whether files that need no change become hard links of the sources where the file system allows that.
    public var usesHardLinks = false
    /// Whether only to report what would be done.
    public var isDryRun = false
    /// How many files are read, and items made, at a time.
    public var width = 1
    /// Encodes what phones cannot play in motion photos; without one, such pairs are copied as they are.
    public var encoder: (any MotionPhotoEncoder)?
    let chooseStill: FolderLinker.ChooseStill

    /// An import that asks `chooseStill` for the still time of each pair whose metadata do not have it.
    public init(folders: DateFolders, chooseStill: @escaping FolderLinker.ChooseStill) {
        (self.folders, self.chooseStill) = (folders, chooseStill)
    }

    /// Imports folders. Cancelling the task ends it between two items; completed items are kept.
    ///
    /// - Parameters:
    ///   - sources: The folders to import, with all folders below them.
    ///   - library: Where the items go; created if missing. It is not imported itself.
    ///   - progress: Called after each listed folder, file, pair or item.
    ///   - onOutcome: Called with each outcome.
    /// - Throws: `LivePhotoError` if a folder cannot be used, the library cannot be written or its disk is full; with the
    ///   code `.cancelled` if the task was cancelled; errors of `onOutcome`.
    public func run(
        _ sources: [FilePath], to library: FilePath, progress: (Progress) -> Void = { _ in },
        onOutcome: (Outcome) throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            for source in sources { try check(source, library) }
            let log = try ImportLog(library, isReadOnly: isDryRun)
            defer { log.close() }
            try check(log)
            if !isDryRun { Self.removeLeftovers(of: log) }
            do {
                let work = ImportWork(self, log)
                try await SidecarFolders.withRun {
                    var items = try await plan(sources, work, progress, onOutcome)
                    try await make(&items, work, progress, onOutcome)
                }
                try log.checkReadable()
            } catch is CancellationError {
                throw LivePhotoError.cancellation
            }
        }
    }

    /// Removes or completes what a killed import has left, also in folders to which this one adds nothing.
    private static func removeLeftovers(of log: ImportLog) {
        var folders: Set<FilePath> = [log.root]
        for path in log.foldersOfFiles {
            var folder = log.root.pushing(path)
            while folders.insert(folder).inserted { folder = folder.folder }
        }
        for folder in folders { Publisher.removeLeftovers(in: folder) }
    }

    private func check(_ source: FilePath, _ library: FilePath) throws(LivePhotoError) {
        do {
            guard try source.stat().type == .directory else {
                if ["zip", "tgz", "gz", "tar"].contains(source.extension?.lowercased() ?? "") {
                    throw LivePhotoError(
                        .invalidRequest, source,
                        "is an archive; unpack all archives of the export into one folder, and name that")
                }
                throw LivePhotoError(.invalidRequest, source, "is not a folder; name the folder that it is in")
            }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: source, error)
        }
        guard !library.holds(source) else {
            throw LivePhotoError(
                .invalidRequest, library, "is or holds the folder that is imported; name another one for the library")
        }
    }

    /// Throws if the library has Live Photos of another form, which would count as those that are asked for.
    private func check(_ log: ImportLog) throws(LivePhotoError) {
        guard let other = log.kinds.first(where: { $0 != .file && $0 != form.kind }) else { return }
        let forms = Form.allCases.filter { $0.kind == other }.map(\.rawValue).joined()
        throw LivePhotoError(
            .invalidRequest, log.root,
            "was made for another use (--for \(forms)); repeat that option, or name another folder for the library")
    }
}

extension LibraryImport.Form {
    /// What Live Photos become.
    var kind: LibraryImport.Kind {
        switch self {
        case .apple: .livePhoto
        case .android: .motionPhoto
        case .plain: .photoAndMovie
        }
    }
}
