import Bytes
import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// The planned contents of a linked photo and movie, complete before anything is written.
struct LinkedPair {
    let source: SourcePair
    let identifier: ContentIdentifier
    /// Of the new movie.
    let stillTime: MediaTime
    let photo: [UInt8]
    let movie: MovieEdit
    /// Nil for files that keep their dates and places.
    let added: AddedMetadata?

    /// - Parameters:
    ///   - stillTime: Used as it is; `MovieMoments.still(at:)` chooses one.
    ///   - contentIdentifier: Nil keeps the existing one or creates one.
    ///   - replacesPhoto: Whether another photo than the source's belongs to the result.
    ///   - added: Nil keeps the dates and places of the files.
    ///   - command: What the pair is made for, for errors.
    /// - Throws: `MovieEditError`, `ExifTooLarge` and `ParseError` for files that cannot be linked; `Errno` of pread(2).
    init(
        _ source: SourcePair, stillTime: MediaTime, contentIdentifier: ContentIdentifier?,
        replacesPhoto: Bool = false, adding added: AddedMetadata? = nil, for command: InPlaceUndo.Command = .link
    ) throws {
        let source = try source.withOneVideo()
        try Self.checkMedia(of: source, for: command)
        self.source = source
        identifier = contentIdentifier ?? source.identifier ?? ContentIdentifier()
        movie = try MovieEdit(
            linking: source.reader, contentIdentifier: identifier, stillTime: stillTime,
            keepsTransform: !replacesPhoto, captureDate: added?.movieDate, location: added?.location)
        self.stillTime = stillTime
        photo = try source.photo(
            with: .set(identifier), captureDate: added?.photoDate, location: added?.location)
        self.added = added
    }

    /// Throws for defects that only re-encoding can fix. Parameter sets in the wrong place are moved, so they are fine.
    private static func checkMedia(of source: SourcePair, for command: InPlaceUndo.Command) throws {
        let facts = try PairFacts(source)
        var messages = [Rule.movieTables, .movieVideo, .movieCodec].flatMap { $0.check(facts) }
        if let video = facts.movie.facts?.video, !video.isDecodedByDevices {
            messages.append("the video is \(video.codecName)")
        }
        guard let message = messages.first else { return }
        throw LivePhotoError(
            .unusableMedia, source.movie,
            "cannot be \(command.participle) as it is: \(message); "
                + SourcePair.conversionAdvice(photo: source.photo, movie: source.movie))
    }

    var update: PairUpdate { PairUpdate(source: source, photo: photo, movie: movie) }

    /// Reads the written files.
    ///
    /// - Throws: `PairFault`; `LivePhotoError`.
    func check(_ photo: FilePath, _ movie: FilePath) throws {
        try PairCheck(
            photo: photo, movie: movie, contentIdentifier: identifier, stillTime: stillTime, allowing: Set(Rule.all)
        ).run()
    }

    func result(photo: FilePath, movie: FilePath) -> LivePhotoLinker.Result {
        LivePhotoLinker.Result(
            livePhoto: LivePhoto(photo: photo, movie: movie, contentIdentifier: identifier), stillTime: stillTime,
            writtenDate: added?.date, writtenDateSource: added?.dateSource, writtenLocation: added?.location,
            warnings: (added?.warnings ?? []) + source.notes)
    }

    /// Whether the two files at a target have exactly these contents.
    ///
    /// - Throws: `MovieEditError`; `Errno` of reading.
    func isPresent(at target: PublishTarget) throws -> Bool {
        var content = FilePieces()
        content.append(photo)
        return try content.areContent(of: InputFile(target.photo))
            && movie.copy().areContent(of: InputFile(target.movie))
    }
}
