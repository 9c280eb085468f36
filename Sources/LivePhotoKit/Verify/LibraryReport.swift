public import SystemPackage

/// What stands in folders, and how good it is.
public struct LibraryReport: Sendable {
    /// Something that is wrong with files which are no pair.
    public struct FileFinding: Sendable, Hashable {
        public let files: [FilePath]
        public let contentIdentifier: String
        public let finding: Finding
    }

    /// In the order of their photos' names.
    public let pairs: [VerificationReport]
    public let files: [FileFinding]
    /// How many photos and movies are not part of a pair.
    public let ordinaryFiles: Int
    /// Folders that could not be listed and files that could not be read, and why.
    public let unreadable: [LivePhotoError]

    /// Whether all was read, and no pair has anything worse than a warning.
    public var isGood: Bool { unreadable.isEmpty && pairs.allSatisfy(\.isGood) }
}
