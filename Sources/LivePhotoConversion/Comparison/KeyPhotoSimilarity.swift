import Bytes
import FFmpegKit
package import LivePhotoRequests
import MediaModel
import StillImage

/// Measures how similar a key photo and its movie's frame at the still time are.
package enum KeyPhotoSimilarity {
    /// Long edge of the compared pictures, in pixels: large enough to distinguish scenes, small enough to tolerate that
    /// cameras crop and color movies differently from photos. (A pair by an iPhone: 0.73, and 0.38 at 256 pixels;
    /// unrelated pictures: up to 0.11.)
    private static let edge = 32

    /// Decodes both pictures and compares them upright, with the photo cropped to the movie's shape, as Photos does.
    /// Blocks until done.
    ///
    /// - Parameter stillTime: on the movie's timeline.
    /// - Returns: the structural similarity of their luma, 1 for equal pictures, about 0 for unrelated ones.
    /// - Throws: `LivePhotoError` if a file cannot be decoded.
    package static func measure(
        _ files: PhotoAndMovie, stillTime: MediaTime, _ cancellation: CancellationFlag
    ) throws(LivePhotoError) -> Double {
        try files.explaining {
            let reader = try ClipReader(files.movie, cancellation)
            let comparison = try PhotoComparison(files.photo, with: reader.picture, edge: edge)
            return try comparison.similarity(to: frame(at: reader.clipTime(ofMovie: stillTime), of: reader))
        }
    }

    private static func frame(at time: MediaTime, of reader: ClipReader) throws -> Frame {
        let probe = ClipProbe(reader: reader)
        let span = try probe.pictureSpan()
        let request = Window.Request(still: time, before: .zero, after: reader.nominalFrameDuration)
        let clip = try probe.describe(try Window(request, span), span: span)
        let nearest = clip.frameTimes.last { $0 <= time } ?? clip.frameTimes.first ?? time
        var matcher = FrameMatcher<Frame>([nearest])
        var found: Frame?
        try ClipDecoder(reader, entry: clip.entry, threads: 1).run(until: time) { frame, time in
            found = matcher.offer(frame, at: time).first?.picture
            return found == nil
        }
        guard let frame = found ?? matcher.finish().first?.picture else {
            throw LivePhotoError(.unusableMedia, reader.path, "its frame at \(time) cannot be decoded; it is damaged")
        }
        return frame
    }
}
