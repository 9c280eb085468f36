public import SystemPackage

/// The results of verifying all pairs in folders.
public struct LibraryReport: Sendable {
    /// A broken rule about files that are not a pair.
    public struct FileFinding: Sendable, Hashable {
        public let files: [FilePath]
        public let contentIdentifier: String
        public let finding: Finding
    }

    /// In the order of their photos' names.
    public let pairs: [VerificationReport]
    public let files: [FileFinding]
    /// The number of photos and movies that are not part of a pair.
    public let ordinaryFiles: Int
    /// Folders that could not be listed and files that could not be read, and why.
    public let unreadable: [LivePhotoError]

    /// Whether everything was read, and no pair has anything worse than a warning.
    public var isGood: Bool { unreadable.isEmpty && pairs.allSatisfy(\.isGood) }
}
