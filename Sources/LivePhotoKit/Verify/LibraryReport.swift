public import SystemPackage

/// The results of verifying all pairs and motion photos in folders.
public struct LibraryReport: Sendable {
    /// A broken rule about files that are not a pair.
    public struct FileFinding: Sendable, Hashable {
        /// The photos and movies that the finding concerns.
        public let files: [FilePath]
        /// The content identifier in these files, as spelled there.
        public let contentIdentifier: String
        /// The broken rule: `photo-alone`, `movie-alone` or `identifier-shared`.
        public let finding: Finding
    }

    /// What was found out about one pair or file.
    public enum Entry: Sendable {
        /// A pair.
        case pair(VerificationReport)
        /// A motion photo that is not part of a pair.
        case motionPhoto(MotionPhotoReport)
        /// Photos and movies that carry a content identifier but are not part of exactly one pair.
        case files(FileFinding)
        /// A folder that could not be listed, or a file that could not be read.
        case unreadable(LivePhotoError)
    }

    /// The results for all pairs, in the order of their photos' names.
    public let pairs: [VerificationReport]
    /// The results for the motion photos that are not part of a pair, in the order of their names.
    public let motionPhotos: [MotionPhotoReport]
    /// Photos and movies that carry a content identifier but are not part of exactly one pair.
    public let files: [FileFinding]
    /// The number of photos and movies that are not part of a pair, and no motion photos.
    public let ordinaryFiles: Int
    /// Folders that could not be listed and files that could not be read, and why.
    public let unreadable: [LivePhotoError]

    /// Whether everything was read, and no pair or motion photo has anything worse than a warning.
    public var isGood: Bool {
        unreadable.isEmpty && pairs.allSatisfy(\.isGood) && motionPhotos.allSatisfy(\.isGood)
    }
}
