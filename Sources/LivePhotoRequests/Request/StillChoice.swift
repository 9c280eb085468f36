public import LivePhotoKit

/// Chooses the still time for linking a photo and a movie: the one recorded in the movie, the time of the frame that is
/// similar to the photo, or the middle of the movie, in this order.
public struct StillChoice: Sendable, Hashable {
    /// A time that overrides what the files contain.
    public var still: ClipTime?
    /// `still` as the user wrote it, for messages.
    package var stillText: String?
    /// A time that is used instead of the middle.
    public var fallback: ClipTime?
    /// When to search for the photo. If it is not found, the movie's still time is used.
    public var search: StillSearch

    /// By default, the movie's still time, then a search for the photo, then the middle.
    public init(still: ClipTime? = nil, fallback: ClipTime? = nil, search: StillSearch = .ifUnknown) {
        self.still = still
        self.fallback = fallback
        self.search = search
    }

    /// Decodes the movie only if it has to search for the photo.
    ///
    /// - Throws: `LivePhotoError` for a movie without frames or that ends before `still`, and with `.always` also for
    ///   files that cannot be decoded.
    public func moment(
        of photo: FilePath, in movie: FilePath, _ engine: any MediaEngine
    ) async throws(LivePhotoError) -> StillMoment {
        try await moment(of: photo, in: movie, MovieMoments(of: movie), engine)
    }

    /// - Parameter moments: Those of the movie.
    package func moment(
        of photo: FilePath, in movie: FilePath, _ moments: MovieMoments, _ engine: any MediaEngine
    ) async throws(LivePhotoError) -> StillMoment {
        if let still {
            return StillMoment(time: try moments.still(at: still, stillText, of: movie), source: .request)
        }
        if let recorded = moments.ownStill, search != .always { return StillMoment(time: recorded, source: .movie) }
        if search == .never {
            guard let fallback else { return StillMoment(time: moments.still(at: nil), source: .middle) }
            return StillMoment(time: try moments.frame(at: fallback, stillText, of: movie), source: .request)
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
            if search == .always || error.code != .unusableMedia { throw error }
            reason = "the photo was not looked for in the movie: \(error.reason)"
        }
        if moments.still == nil, let fallback {
            return StillMoment(time: try moments.frame(at: fallback, stillText, of: movie), source: .request)
        }
        return StillMoment(time: moments.still(at: nil), source: .guess(reason: reason))
    }
}

extension MovieMoments {
    /// The still time for a requested time: that of the nearest frame, unless the movie's own was requested.
    func still(at requested: ClipTime, _ text: String?, of movie: FilePath) throws(LivePhotoError) -> MediaTime {
        let frame = try frame(at: requested, text, of: movie)
        guard case .seconds(let time) = requested else { return frame }
        return still(at: time)
    }

    /// The time of the frame nearest to the requested time.
    func frame(
        at requested: ClipTime, _ text: String?, of movie: FilePath
    ) throws(LivePhotoError) -> MediaTime {
        switch requested {
        case .seconds(let time):
            guard time <= end else {
                throw LivePhotoError(
                    .invalidRequest, movie, "there is nothing at \(time.shown(as: text)); the movie lasts \(end)")
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
