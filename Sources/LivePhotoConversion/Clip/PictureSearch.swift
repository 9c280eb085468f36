import FFmpegKit
import LivePhotoKit

/// Looks for a picture that is more than one flat colour, all over a clip.
///
/// A movie of nothing but one colour may be what the clip shows there, or what a decoder makes of a clip that it does not
/// understand. If the clip shows other pictures elsewhere, the user gets a warning.
struct PictureSearch {
    let reader: ClipReader
    let span: PictureSpan
    /// To planar pictures of 8 bits.
    let filters: PictureFilters
    /// Whether the clip had to be decoded from its first packet on.
    let decodesFromStart: Bool

    /// Parts of the clip at which to look.
    private static let places = [0.1, 0.3, 0.5, 0.7, 0.9]
    /// How much is examined of a clip that can only be decoded from its start.
    private static let longestStart = MediaTime(value: 60, timescale: 1)
    private static let startSpacing = MediaTime(value: 1, timescale: 2)

    /// When such a picture is shown; nil where none was found.
    func find() throws -> MediaTime? {
        guard reader.canSeek, reader.video.keyFrameEvidence != .none, !decodesFromStart else {
            return try findFromStart()
        }
        for place in Self.places {
            let length = (span.end - span.start).seconds * place
            let time = span.start + MediaTime(seconds: length, timescale: 1_000_000)
            let entry = try EntrySearch(reader: reader).find(wanting: time, until: time).scan.entry
            // The same would be found at each place, and all that comes before it decoded each time.
            if entry.seekTarget == nil { return try findFromStart() }
            if let found = try search(from: entry, until: time, spacing: .zero, isWanted: { $0 >= time }) {
                return found
            }
        }
        return nil
    }

    private func findFromStart() throws -> MediaTime? {
        try search(from: .clipStart, until: Self.longestStart, spacing: Self.startSpacing) { _ in true }
    }

    /// - Parameter isWanted: whether a picture is looked at; where one is and is flat, only those after `spacing` are.
    private func search(
        from entry: EntryPoint, until end: MediaTime, spacing: MediaTime, isWanted: (MediaTime) -> Bool
    ) throws -> MediaTime? {
        let converter = PictureConverter(filters, threads: 1)
        var next = MediaTime.zero
        var found: MediaTime?
        let decoder = try ClipDecoder(reader, entry: entry, hasSound: false, threads: 1)
        try decoder.run(until: end) { frame, time in
            guard time >= next, isWanted(time) else { return true }
            if try !converter.convert(frame).isFlat(in: filters.pictureInCanvas) { found = time }
            next = time + spacing
            return found == nil && spacing > .zero && time < end
        } onSound: { _ in
            false
        }
        return found
    }
}
