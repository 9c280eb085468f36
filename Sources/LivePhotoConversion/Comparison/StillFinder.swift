import Bytes
import FFmpegKit
package import LivePhotoRequests

/// Finds the time in a movie at which a photo was taken.
package enum StillFinder {
    /// Long edge of the compared pictures, in pixels: large enough to distinguish consecutive frames.
    private static let edge = 64

    /// Each thread holds a picture in memory, which is limited.
    private static let threadLimit = 4

    /// Decodes the movie once and compares each frame with the photo. Blocks until done.
    ///
    /// - Throws: `LivePhotoError` if a file cannot be decoded; with the code `.cancelled` if the task was cancelled.
    package static func find(_ files: PhotoAndMovie, _ cancellation: CancellationFlag) throws(LivePhotoError)
        -> StillMatch
    {
        try files.explaining {
            let reader = try ClipReader(files.movie, cancellation)
            let comparison = try PhotoComparison(files.photo, with: reader.picture, edge: edge)
            var best: StillMatch?
            let decoder = try ClipDecoder(
                reader, entry: .clipStart, threads: min(Decoder.defaultThreads, threadLimit))
            try decoder.run(until: .distantFuture) { frame, time in
                let similarity = try comparison.similarity(to: frame)
                if similarity > best?.similarity ?? -.infinity {
                    best = StillMatch(stillTime: reader.movieTime(ofClip: time), similarity: similarity)
                }
                return true
            }
            guard let best else {
                throw LivePhotoError(.unusableMedia, files.movie.path, "has no frame that can be decoded")
            }
            return best
        }
    }
}
