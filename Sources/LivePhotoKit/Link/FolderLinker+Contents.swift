import Bytes
import Digests
public import MediaModel
public import SystemPackage

extension FolderLinker {
    /// How much of two files identifies them.
    public enum Extent: Sendable, Hashable {
        /// Their sizes and some parts of them.
        case samples
        /// All of both files.
        case whole
    }

    /// Returns a content identifier that depends only on the contents of both files.
    public typealias Identify =
        @Sendable (_ photo: FilePath, _ movie: FilePath, _ extent: Extent) throws(LivePhotoError) -> ContentIdentifier

    /// What identifies the contents of pairs, by their numbers.
    struct Contents: Sendable {
        /// Nil for what is no pair, or if the content is not known.
        fileprivate var identifiers: [StoredIdentifier?] = []
        /// The numbers of pairs that have the same identifier, for each identifier of several pairs.
        fileprivate(set) var groups: [[Int]] = []
        /// The identifiers that several pairs have.
        private var shared: Set<StoredIdentifier> = []

        subscript(index: Int) -> ContentIdentifier? { identifiers[index].flatMap { ContentIdentifier($0.text) } }

        /// The identifier, if it is also that of another pair.
        func shared(by index: Int) -> ContentIdentifier? {
            identifiers[index].flatMap { shared.contains($0) ? ContentIdentifier($0.text) : nil }
        }

        /// Finds the pairs that have the same identifier.
        ///
        /// - Throws: `CancellationError`.
        fileprivate mutating func group() throws {
            var equal = EqualElements<StoredIdentifier>()
            for (index, identifier) in identifiers.enumerated() {
                try Task.checkCancellation()
                if let identifier { equal.add(index, key: identifier) }
            }
            groups = Array(equal.groups.values)
            shared = Set(groups.compactMap { identifiers[$0[0]] })
        }
    }

    /// Identifies the contents of each pair.
    ///
    /// Reading all of both files takes as long as copying them, so this is only done where others have the same samples:
    /// equal pairs have one identifier, and different pairs never have.
    ///
    /// - Throws: `CancellationError`.
    func contents(of found: FoundFiles, width: Int, _ progress: (Progress) -> Void) async throws -> Contents {
        var contents = Contents()
        contents.identifiers.reserveCapacity(found.count)
        try await concurrentForEach(found, width: width) {
            identifier(of: $0, .samples)
        } body: {
            contents.identifiers.append($0)
            progress(Progress(stage: .comparing, done: contents.identifiers.count, total: found.count))
        }
        try contents.group()
        let different = try await concurrentMap(contents.groups, width: width) { group in
            group.dropFirst().allSatisfy { haveSameContent(found[group[0]], found[$0]) } ? [] : group
        }
        for index in different.joined() { contents.identifiers[index] = identifier(of: found[index], .whole) }
        if different.contains(where: { !$0.isEmpty }) { try contents.group() }
        return contents
    }

    private func identifier(of found: NamedPairs.Found, _ extent: Extent) -> StoredIdentifier? {
        guard case .pair(let pair) = found else { return nil }
        return (try? identify?(pair.photo.path, pair.movie.path, extent)).map {
            StoredIdentifier(FileText(Array($0.string.utf8)))
        }
    }

    private func haveSameContent(_ first: NamedPairs.Found, _ second: NamedPairs.Found) -> Bool {
        zip(first.files, second.files).allSatisfy(FileSystem.haveSameContent)
    }
}

extension ContentIdentifier {
    /// A content identifier computed from the contents of a photo and a movie, so that copies of a pair get the same one.
    ///
    /// - Throws: `LivePhotoError` for a file that cannot be read.
    package init(
        ofPhoto photo: FilePath, movie: FilePath, _ extent: FolderLinker.Extent
    ) throws(LivePhotoError) {
        func digest(_ path: FilePath) throws(LivePhotoError) -> String {
            do {
                let file = try InputFile(path)
                return try extent == .whole ? Digest.sha256(file) : Digest.sha256(samplesOf: file)
            } catch {
                throw LivePhotoError(reading: path, error)
            }
        }
        self = Self(derivedFrom: "link \(extent) \(try digest(photo)) \(try digest(movie))") ?? Self()
    }
}
