import Bytes
import FFmpegKit
package import LivePhotoRequests

/// Finds the moment of a movie at which a photo was taken.
package enum StillFinder {
    /// Long edge of the pictures that are compared, in pixels: fine enough to tell one frame from the next.
    private static let edge = 64

    /// Each thread holds another picture in memory, which is limited.
    private static let threadLimit = 4

    /// Decodes the movie once and compares each frame with the photo, both small. Blocks while it works.
    ///
    /// - Throws: `LivePhotoError` for what cannot be decoded; with the code `.cancelled` where the task was.
    package static func find(_ files: PhotoAndMovie, _ cancellation: CancellationFlag) throws(LivePhotoError)
        -> StillMatch
    {
        try files.explaining {
            let reader = try ClipReader(files.movie, cancellation)
            let comparison = try PhotoComparison(files.photo, with: reader.picture, edge: edge)
            let end = MediaTime(value: .max / 2, timescale: 1)
            var best: StillMatch?
            let decoder = try ClipDecoder(
                reader, entry: .clipStart, hasSound: false, threads: min(Decoder.defaultThreads, threadLimit))
            try decoder.run(until: end) { frame, time in
                let similarity = try comparison.similarity(to: frame)
                if similarity > best?.similarity ?? -.infinity {
                    best = StillMatch(stillTime: time, similarity: similarity)
                }
                return true
            } onSound: { _ in
                false
            }
            guard let best else {
                throw LivePhotoError(.unusableMedia, files.movie.path, "has no frame that can be decoded")
            }
            return best
        }
    }
}
