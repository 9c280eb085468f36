import Bytes
public import MediaModel
import QuickTime
public import SystemPackage

/// Changes Live Photos without encoding: the still time, sound, length, dates and identifier. Picture and sound samples
/// that are kept stay bit for bit.
///
/// ```swift
/// var edits = LivePhotoEdits()
/// edits.removesSound = true
/// try LivePhotoEditor().edit(edits, photo: "beach.JPG", movie: "beach.MOV", to: .inPlace)
/// ```
public struct LivePhotoEditor: Sendable {
    /// How a pair is changed.
    public enum Way: String, Sendable, Hashable, Encodable {
        /// Only descriptions and metadata are written; pictures and sound are not encoded.
        case lossless
    }

    /// What an edit does. Times of the old movie are on its timeline before the edit.
    public struct Plan: Sendable, Hashable {
        /// How the pair is changed.
        public let way: Way
        /// Why this way is taken: a sentence without a full stop.
        public let reason: String
        /// The files that are written: the photo and the movie.
        public let files: [FilePath]
        /// The part of the old movie that is kept.
        public let start: MediaTime
        /// Whether that part begins before the requested frame, with the key frame before it.
        public let startsEarly: Bool
        /// The end of that part.
        public let end: MediaTime
        /// The still time of the new movie, on its own timeline: exactly the time of a frame, or the one that the movie had.
        public let stillTime: MediaTime
        /// Whether another frame becomes the still time's. The key photo keeps its picture.
        public let movesStill: Bool
        /// Whether sound is removed.
        public let removesSound: Bool
        /// The identifier of both files; nil for a new one.
        public let contentIdentifier: ContentIdentifier?
        /// What is not exactly as requested, or may not be expected: each a sentence without a full stop.
        public let notes: [String]

        /// The duration of the new movie.
        public var duration: MediaTime { end - start }
    }

    /// A pair that was edited.
    public struct Result: Sendable, Hashable {
        /// The edited files: those given, or their copies.
        public let livePhoto: LivePhoto
        /// What was done.
        public let plan: Plan
    }

    /// An editor, which keeps no state between calls.
    public init() {}

    /// Checks without writing anything what an edit would do.
    ///
    /// - Parameters:
    ///   - edits: The changes.
    ///   - photo: The key photo, a JPEG or HEIC.
    ///   - movie: Its paired video.
    ///   - name: Of both copies, without extension; nil for the photo's. Ignored in place.
    ///   - destination: Where the edited files would go.
    /// - Throws: `LivePhotoError`, as `edit` does.
    public func plan(
        _ edits: LivePhotoEdits, photo: FilePath, movie: FilePath, name: String? = nil,
        to destination: LivePhotoLinker.Destination
    ) throws(LivePhotoError) -> Plan {
        do {
            let source = try SourcePair(photo: photo, movie: movie, for: .edit)
            let edited = try EditedPair(edits, of: source, to: destination, name: name)
            switch destination {
            case .inPlace:
                _ = try LivePhotoLinker.lock(photo: photo, movie: movie, for: .edit)
                _ = try edited.update.movie.changesInPlace()
            case .directory(_, let replacesExisting):
                try edited.target?.check(inputs: [photo, movie], replacing: replacesExisting)
                try edited.target?.checkOtherPhotos(inputs: [photo, movie])
                _ = try edited.update.movie.copy()
            }
            return edited.plan
        } catch {
            throw LivePhotoLinker.explain(error, photo: photo, movie: movie, .edit)
        }
    }

    /// Edits a pair. A change in place is recorded in a hidden journal in the pair's folder; `InPlaceUndo` undoes it.
    ///
    /// In place, only the description of the movie is replaced, whatever its size: sound and frames that are removed stay
    /// in the file, unused. Copies contain only what is used. The result is read back and checked before it takes effect.
    ///
    /// - Parameters:
    ///   - edits: The changes.
    ///   - photo: The key photo, a JPEG or HEIC.
    ///   - movie: Its paired video.
    ///   - name: Of both copies, without extension; nil for the photo's. Ignored in place.
    ///   - destination: Where the edited files go.
    /// - Throws: `LivePhotoError` for files that are no Live Photo, or cannot be edited or written; with the code
    ///   `.cancelled` if the task was cancelled before they were written.
    public func edit(
        _ edits: LivePhotoEdits, photo: FilePath, movie: FilePath, name: String? = nil,
        to destination: LivePhotoLinker.Destination
    ) throws(LivePhotoError) -> Result {
        try edit(edits, photo: photo, movie: movie, name: name, to: destination, EditJournals())
    }

    /// - Parameter journals: Those of the folders of previous pairs.
    package func edit(
        _ edits: LivePhotoEdits, photo: FilePath, movie: FilePath, name: String?,
        to destination: LivePhotoLinker.Destination, _ journals: EditJournals
    ) throws(LivePhotoError) -> Result {
        do {
            let lock =
                try destination == .inPlace
                ? LivePhotoLinker.recoverAndLock(photo: photo, movie: movie, for: .edit) : nil
            defer { withExtendedLifetime(lock) {} }
            let source = try SourcePair(photo: photo, movie: movie, for: .edit)
            let edited = try EditedPair(edits, of: source, to: destination, name: name)
            try Task.checkCancellation()
            if let target = edited.target, case .directory(_, let replacesExisting) = destination {
                try target.checkOtherPhotos(inputs: [photo, movie])
                try edited.update.copy(to: target, replacing: replacesExisting) { try edited.check($0, $1) }
                return edited.result(photo: target.photo, movie: target.movie)
            }
            let journal = try journals.journal(in: photo.folder)
            defer { journal.removeIfEmpty() }
            try edited.update.replace(noting: journal, of: .edit) { try edited.check(photo, movie) }
            return edited.result(photo: photo, movie: movie)
        } catch {
            throw LivePhotoLinker.explain(error, photo: photo, movie: movie, .edit)
        }
    }
}
