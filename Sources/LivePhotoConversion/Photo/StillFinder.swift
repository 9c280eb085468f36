import FFmpegKit
import LivePhotoKit

/// Finds the moment of a movie at which a photo was taken.
enum StillFinder {
    /// The frame that is most like the photo.
    struct Match: Sendable, Hashable {
        /// The frame's presentation time on the movie's timeline.
        let stillTime: MediaTime
        /// The structural similarity of the two, 1 for equal pictures.
        let similarity: Double
    }

    /// From this similarity on, the photo was found. (A pair by an iPhone, whose movie is cropped otherwise than its
    /// photo: 0.51; pictures that have nothing to do with each other: up to 0.09.)
    static let certainty = 0.4

    /// Long edge of the pictures that are compared, in pixels: fine enough to tell one frame from the next.
    private static let edge = 64

    /// Decodes the movie once and compares each frame with the photo, both small. Blocks while it works.
    ///
    /// - Throws: `LivePhotoError` for what cannot be read or decoded; with the code `.cancelled` where the task was.
    static func find(_ photo: FilePath, in movie: FilePath) throws(LivePhotoError) -> Match {
        do {
            return try search(photo, movie)
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(.unusableMedia, movie, "cannot be compared with its photo: \(error)")
        }
    }

    private static func search(_ photo: FilePath, _ movie: FilePath) throws -> Match {
        let reader = try ClipReader(movie, CancellationFlag())
        let comparison = try PhotoComparison(photo, with: reader.picture, edge: edge)
        let end = MediaTime(value: .max / 2, timescale: 1)
        var best: Match?
        let decoder = try ClipDecoder(
            reader, entry: .clipStart, hasSound: false, threads: ConversionPlan.defaultThreads)
        try decoder.run(until: end) { frame, time in
            if Task.isCancelled { throw LivePhotoError(.cancelled, nil, "stopped") }
            let similarity = try comparison.similarity(to: frame)
            if similarity > best?.similarity ?? -.infinity { best = Match(stillTime: time, similarity: similarity) }
            return true
        } onSound: { _ in
            false
        }
        guard let best else { throw LivePhotoError(.unusableMedia, movie, "has no frame that can be decoded") }
        return best
    }
}
