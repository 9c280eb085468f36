import FFmpegKit
import LivePhotoKit

/// Searches a clip for a picture with more than one flat colour.
///
/// If a movie consists of one colour only, the clip may be like that, or the decoder may not support it properly. If
/// the clip shows other pictures elsewhere, the user gets a warning.
struct PictureSearch {
    let reader: ClipReader
    let span: PictureSpan
    /// The part that the movie shows, whose pictures are known to be flat.
    let movie: PictureSpan
    /// Filters to planar 8-bit pictures.
    let filters: PictureFilters
    /// Whether the clip had to be decoded from its first packet on.
    let decodesFromStart: Bool

    /// The examined positions, as fractions of the clip.
    private static let places = [0.1, 0.3, 0.5, 0.7, 0.9]
    /// How much is examined of a clip that can only be decoded from its start.
    private static let longestStart = MediaTime(value: 60, timescale: 1)
    private static let startSpacing = MediaTime(value: 1, timescale: 2)

    /// The time of such a picture; nil if none was found, or the movie shows the whole clip.
    func find() throws -> MediaTime? {
        if movie.start <= span.start, span.end <= movie.end { return nil }
        guard reader.canSeek, reader.video.keyFrameEvidence != .none, !decodesFromStart else {
            return try findFromStart()
        }
        for place in Self.places {
            let length = (span.end - span.start).seconds * place
            let time = span.start + MediaTime(seconds: length, timescale: 1_000_000)
            if movie.start <= time, time <= movie.end { continue }
            let entry = try EntrySearch(reader: reader).find(time, until: time).scan.entry
            // Otherwise the clip would be decoded from its start for each position.
            if entry.seekTarget == nil { return try findFromStart() }
            if let found = try search(from: entry, first: time, until: time, spacing: .zero) { return found }
        }
        return nil
    }

    private func findFromStart() throws -> MediaTime? {
        try search(from: .clipStart, first: .zero, until: Self.longestStart, spacing: Self.startSpacing)
    }

    /// Examines a picture every `spacing` from `first` on, or only one if `spacing` is zero.
    private func search(
        from entry: EntryPoint, first: MediaTime, until end: MediaTime, spacing: MediaTime
    ) throws -> MediaTime? {
        let converter = PictureConverter(filters, threads: 1)
        var next = first
        var found: MediaTime?
        try ClipDecoder(reader, entry: entry, threads: 1).run(until: end) { frame, time in
            guard time >= next else { return true }
            if try !converter.convert(frame).isFlat(in: filters.pictureInCanvas) { found = time }
            next = time + spacing
            return found == nil && spacing > .zero && time < end
        }
        return found
    }
}
