import Bytes
package import MediaModel
import QuickTime
import StillImage
package import SystemPackage

/// Reads a finished pair back from the disk and holds it against what it was meant to be, before it is published.
package struct PairCheck {
    package let photo: FilePath
    package let movie: FilePath
    package let contentIdentifier: ContentIdentifier
    /// On the movie's timeline.
    package let stillTime: MediaTime

    package init(photo: FilePath, movie: FilePath, contentIdentifier: ContentIdentifier, stillTime: MediaTime) {
        self.photo = photo
        self.movie = movie
        self.contentIdentifier = contentIdentifier
        self.stillTime = stillTime
    }

    /// - Throws: `PairFault` for what a Live Photo may not be; `ParseError` for a file that cannot be read as what it
    ///   is; `Errno` of open(2), pread(2).
    package func run() throws {
        try checkPhoto()
        let reader = try MovieReader(InputFile(movie))
        guard reader.fileType == .quickTime else { throw PairFault("the movie is not of brand qt") }
        try expect(reader.contentIdentifier, in: "movie")
        try checkStillImageTime(reader)
        try checkVideo(reader)
    }

    private func checkPhoto() throws {
        let metadata = try PhotoMetadata(InputFile(photo))
        guard metadata.format != .avif else { throw PairFault("the photo is an AVIF, not a JPEG or HEIC") }
        switch metadata.contentIdentifier {
        case .success(let identifier): try expect(identifier, in: "photo")
        case .failure(let why): throw PairFault("the photo \(why)")
        }
    }

    private func expect(_ identifier: String?, in half: String) throws(PairFault) {
        guard identifier == contentIdentifier.string else {
            throw PairFault("the \(half)'s content identifier is \(identifier ?? "missing"), not \(contentIdentifier)")
        }
    }

    private func checkStillImageTime(_ reader: MovieReader) throws {
        guard let still = try reader.stillImageTime() else { throw PairFault("the movie has no still image time") }
        guard still.time == stillTime, still.value == [0xFF] else {
            throw PairFault("the movie's still image time is \(still.time), not \(stillTime)")
        }
    }

    private func checkVideo(_ reader: MovieReader) throws {
        let videos = reader.tracks.filter { $0.kind == .video }
        guard let video = videos.first, videos.count == 1 else {
            throw PairFault("the movie has \(videos.count) video tracks")
        }
        let times = try video.samples().map(\.presentationTime)
        guard times.min() == .zero else { throw PairFault("the movie's first frame does not stand at 0 s") }
        guard times.contains(stillTime) else { throw PairFault("no frame stands at the still time \(stillTime)") }
    }
}

/// What a finished pair should be and is not.
package struct PairFault: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
