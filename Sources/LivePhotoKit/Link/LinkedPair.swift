import Bytes
import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// A photo and a movie as they are once linked: known to the byte before anything is written.
struct LinkedPair {
    let source: SourcePair
    let identifier: ContentIdentifier
    /// A frame of the movie stands exactly there.
    let stillTime: MediaTime
    let photo: [UInt8]
    let movie: MovieEdit

    /// - Parameters:
    ///   - stillTime: the frame nearest to it is taken; of nil, to what the movie says, or to its middle.
    ///   - contentIdentifier: nil keeps the one that is there, or makes a new one.
    /// - Throws: `MovieEditError`, `ExifTooLarge` and `ParseError` for what cannot be linked; `Errno` of pread(2).
    init(_ source: SourcePair, stillTime: MediaTime?, contentIdentifier: ContentIdentifier?) throws {
        try Self.checkMedia(of: source)
        self.source = source
        identifier = contentIdentifier ?? source.identifier ?? ContentIdentifier()
        self.stillTime = source.moments.frame(nearest: stillTime)
        movie = try MovieEdit(linking: source.reader, contentIdentifier: identifier, stillTime: self.stillTime)
        photo = try source.photo(with: .set(identifier))
    }

    /// Finds what only re-encoding can fix. Parameter sets in the wrong place are moved, which is no fault.
    private static func checkMedia(of source: SourcePair) throws {
        let facts = try PairFacts(source)
        var messages = [Rule.movieTables, .movieVideo, .movieCodec].flatMap { $0.check(facts) }
        if let video = facts.movie.facts?.video, !video.isDecodedByDevices {
            messages.append("the video is \(video.codecName)")
        }
        guard let message = messages.first else { return }
        throw LivePhotoError(
            .unusableMedia, source.movie,
            "cannot be linked as it is: \(message); livephoto convert MOVIE --photo PHOTO re-encodes it")
    }

    func result(photo: FilePath, movie: FilePath) -> LivePhotoLinker.Result {
        LivePhotoLinker.Result(
            livePhoto: LivePhoto(photo: photo, movie: movie, contentIdentifier: identifier), stillTime: stillTime)
    }

    /// Whether the two files at a target hold these bytes and no others.
    ///
    /// - Throws: `MovieEditError`; `Errno` of reading.
    func stand(at target: PublishTarget) throws -> Bool {
        let standing = (photo: try InputFile(target.photo), movie: try InputFile(target.movie))
        var content = FilePieces()
        content.append(photo)
        return try content.areContent(of: standing.photo) && movie.copy().areContent(of: standing.movie)
    }
}
