import Bytes
import MediaModel
import QuickTime
import StillImage
import SystemPackage

extension LivePhotoLinker {
    /// Finds out without writing anything whether two files can be linked, wherever the still is.
    ///
    /// - Throws: `LivePhotoError`, as `link` does.
    func checkLinkable(photo: FilePath, movie: FilePath, to destination: Destination) throws(LivePhotoError) {
        do {
            let source = try SourcePair(photo: photo, movie: movie)
            let linked = try LinkedPair(source, stillTime: nil, contentIdentifier: nil)
            switch destination {
            case .inPlace:
                _ = try Self.lock(photo: photo, movie: movie)
                _ = try linked.movie.changesInPlace()
            case .directory(let directory, let replacesExisting):
                try source.target(in: directory, name: nil)
                    .check(inputs: [photo, movie], replacing: replacesExisting)
            }
        } catch {
            throw LivePhotoLinker.explain(error, photo: photo, movie: movie)
        }
    }

    /// Locks a pair that is to be changed in place.
    ///
    /// - Throws: `LivePhotoError` for what would keep it from being changed, which is found without touching either file.
    static func lock(photo: FilePath, movie: FilePath) throws(LivePhotoError) -> FileLock {
        for path in [photo, movie] {
            // A file that takes the place of a link would part it from what it leads to.
            guard let destination = FileSystem.destination(ofLink: path) else { continue }
            let file = path.removingLastComponent().pushing(destination)
            throw LivePhotoError(.invalidRequest, path, "is a link to \(file); name that file, or link a copy")
        }
        return try PairTransaction.lock(photo: photo, movie: movie) { LinkJournal.names(of: photo) }
    }

    /// Whether a good Live Photo stands where a copy would go, with the pair's identifier, if it has one, and its video.
    ///
    /// - Throws: `LivePhotoError` for files that cannot be linked.
    func hasCopy(photo: FilePath, movie: FilePath, in directory: FilePath) throws(LivePhotoError) -> Bool {
        do {
            let source = try SourcePair(photo: photo, movie: movie)
            let target = try source.target(in: directory, name: nil)
            guard FileIdentity(target.photo) != nil, FileIdentity(target.movie) != nil else { return false }
            let report = try LivePhotoVerifier().verify(photo: target.photo, movie: target.movie)
            guard report.isGood, source.identifier.map({ $0.string == report.contentIdentifier }) ?? true else {
                return false
            }
            return try Self.sampleSizes(MovieReader(InputFile(target.movie))) == Self.sampleSizes(source.reader)
        } catch {
            throw Self.explain(error, photo: photo, movie: movie)
        }
    }

    /// Of the video: as good as never alike by accident.
    private static func sampleSizes(_ reader: MovieReader) throws -> [Int] {
        try reader.tracks.first { $0.kind == .video }?.samples().map(\.size) ?? []
    }
}
