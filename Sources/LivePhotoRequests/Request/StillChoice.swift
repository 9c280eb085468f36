public import LivePhotoKit

/// Chooses the moment of a movie at which a photo was taken: the one that the movie records, the frame that looks like the
/// photo, or the movie's middle, in this order.
public struct StillChoice: Sendable, Hashable {
    /// Overrides what the files say.
    public var still: ClipTime?
    /// Used instead of the middle.
    public var fallback: ClipTime?
    /// Looks for the photo even if the movie records a moment, which is then used only if the photo is not found.
    public var looksForPhoto: Bool

    public init(still: ClipTime? = nil, fallback: ClipTime? = nil, looksForPhoto: Bool = false) {
        self.still = still
        self.fallback = fallback
        self.looksForPhoto = looksForPhoto
    }

    /// Decodes the movie where the photo has to be looked for.
    ///
    /// - Throws: `LivePhotoError` for a movie without frames, or that ends before the wanted moment; where
    ///   `looksForPhoto`, also for what cannot be decoded.
    public func moment(
        of photo: FilePath, in movie: FilePath, _ engine: any MediaEngine
    ) async throws(LivePhotoError) -> StillMoment {
        let moments = try MovieMoments(of: movie)
        if let still {
            return StillMoment(time: try moments.frame(at: still, of: movie), source: .request)
        }
        if let own = moments.still, !looksForPhoto {
            return StillMoment(time: moments.frame(nearest: own), source: .movie)
        }
        let reason: String
        do throws(LivePhotoError) {
            let match = try await engine.findStill(of: photo, in: movie)
            if match.similarity >= StillMatch.certainty {
                return StillMoment(
                    time: moments.frame(nearest: match.stillTime), source: .photo(similarity: match.similarity))
            }
            let similarity = (match.similarity * 100).rounded() / 100
            reason = "no frame of the movie is like the photo (at most \(similarity), at \(match.stillTime))"
        } catch {
            // A failed comparison is an error only if the comparison was asked for.
            if looksForPhoto || error.code != .unusableMedia { throw error }
            reason = "the photo was not looked for in the movie: \(error.reason)"
        }
        if moments.still == nil, let fallback {
            return StillMoment(time: try moments.frame(at: fallback, of: movie), source: .request)
        }
        return StillMoment(time: moments.frame(nearest: nil), source: .guess(reason: reason))
    }
}

extension MovieMoments {
    /// The frame at the requested moment, or the nearest.
    fileprivate func frame(at requested: ClipTime, of movie: FilePath) throws(LivePhotoError) -> MediaTime {
        switch requested {
        case .seconds(let time):
            guard time <= end else {
                throw LivePhotoError(.invalidRequest, movie, "there is nothing at \(time); the movie lasts \(end)")
            }
            return frame(nearest: time)
        case .part(let part): return frame(nearest: part.of(end))
        case .frame(let number):
            guard frames.indices.contains(number) else {
                throw LivePhotoError(
                    .invalidRequest, movie,
                    "there is no frame #\(number) in the movie, which has the frames #0 to #\(frames.count - 1)")
            }
            return frames[number]
        }
    }
}
