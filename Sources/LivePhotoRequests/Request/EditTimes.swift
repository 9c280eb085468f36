public import LivePhotoKit

/// The times of an edit of a Live Photo, as users write them. They are on the movie's timeline before the edit.
public struct EditTimes: Sendable, Hashable {
    /// The new still time.
    public var still: ClipTime?
    /// Where the movie begins.
    public var start: ClipTime?
    /// Where the movie ends.
    public var end: ClipTime?
    /// How long the movie is, from `start`, or before `end`.
    public var duration: MediaTime?

    /// No times.
    public init() {}

    /// The times of a recipe.
    ///
    /// - Throws: `LivePhotoError` for a value that was not checked.
    package init(_ recipe: EditRecipe) throws(LivePhotoError) {
        func value<Value: OptionValue>(_ setting: Setting) throws(LivePhotoError) -> Value? {
            guard let text = recipe[setting] else { return nil }
            return try Value(text)
        }
        let still: RequestedStill? = try value(.still)
        (self.still, start) = (still?.time, try value(.start))
        (end, duration) = (try value(.end), try value(.duration))
    }
}

extension LivePhotoEdits {
    /// Sets the times for a movie.
    ///
    /// - Parameters:
    ///   - times: Those that are given; others stay.
    ///   - movie: The paired video.
    /// - Throws: `LivePhotoError` for times outside of the movie, and if start, end and duration are all given.
    public mutating func set(_ times: EditTimes, of movie: FilePath) throws(LivePhotoError) {
        guard times != EditTimes() else { return }
        let moments = try MovieMoments(of: movie)
        if let still = times.still { stillTime = try moments.still(at: still, nil, of: movie) }
        var start = try times.start.map { (time) throws(LivePhotoError) in
            try moments.frame(at: time, nil, of: movie)
        }
        var end = try times.end.map { (time) throws(LivePhotoError) in try moments.end(at: time, of: movie) }
        if let duration = times.duration {
            guard start == nil || end == nil else {
                throw LivePhotoError(
                    .invalidRequest, movie, "start, end and duration are too many; two of the three are enough")
            }
            guard duration > .zero else {
                throw LivePhotoError(.invalidRequest, movie, "the duration is 0; nothing would be kept")
            }
            if let end {
                guard duration <= end else {
                    throw LivePhotoError(
                        .invalidRequest, movie, "there are no \(duration) before \(end); the movie begins at 0 s")
                }
                start = end - duration
            } else {
                end = (start ?? .zero) + duration
            }
        }
        if let start { self.start = start }
        if let end { self.end = end }
    }
}

extension MovieMoments {
    /// The end of a part of the movie: a time, or the start of a frame that is left out.
    fileprivate func end(at requested: ClipTime, of movie: FilePath) throws(LivePhotoError) -> MediaTime {
        switch requested {
        case .seconds(let time): time
        case .part(let part): part.of(end)
        case .frame(let number) where number == frames.count: end
        case .frame: try frame(at: requested, nil, of: movie)
        }
    }
}
