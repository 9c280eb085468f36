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

    /// Identifies the contents of each pair; nil for what is no pair, or if they are not known.
    ///
    /// Reading all of both files takes as long as copying them, so this is only done where others have the same samples:
    /// equal pairs have one identifier, and different pairs never have.
    ///
    /// - Throws: `CancellationError`.
    func contents(of found: [NamedPairs.Found], width: Int) async throws -> [ContentIdentifier?] {
        let samples = try await concurrentMap(found, width: width) { identifier(of: $0, .samples) }
        var groups: [ContentIdentifier: [Int]] = [:]
        for (index, sample) in samples.enumerated() {
            if let sample { groups[sample, default: []].append(index) }
        }
        let several = groups.values.filter { $0.count > 1 }
        let different = try await concurrentMap(several, width: width) { group in
            group.dropFirst().allSatisfy { haveSameContent(found[group[0]], found[$0]) } ? [] : group
        }
        var contents = samples
        for index in different.joined() { contents[index] = identifier(of: found[index], .whole) }
        return contents
    }

    private func identifier(of found: NamedPairs.Found, _ extent: Extent) -> ContentIdentifier? {
        guard case .pair(let pair) = found else { return nil }
        return try? identify?(pair.photo.path, pair.movie.path, extent)
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
