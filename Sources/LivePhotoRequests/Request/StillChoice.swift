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
