package import LivePhotoRequests

extension ConversionSeries {
    /// How many Live Photos are made together at most: each needs the memory of an encoder.
    package static let mostTogether = 4
    /// Bytes that each of them needs, at 4K.
    static let memoryOfOne = 512 << 20

    /// Which requests, by their indices, are done together: neighbours that take movies from one clip that overlap, so that its
    /// frames are decoded once.
    ///
    /// Only times in seconds tell without a look into the clip. A mistake costs time, but changes no result.
    ///
    /// - Parameter most: how many there is memory for.
    package static func groups(of requests: [ConversionRequest], atMost most: Int = mostTogether) -> [Range<Int>] {
        let most = min(max(most, 1), mostTogether)
        var groups: [Range<Int>] = []
        for index in requests.indices {
            if let last = groups.last, last.count < most, requests[index].overlaps(requests[index - 1]) {
                groups[groups.count - 1] = last.lowerBound..<index + 1
            } else {
                groups.append(index..<index + 1)
            }
        }
        return groups
    }
}

extension ConversionRequest {
    /// Whether both movies are taken from one clip, in which they overlap.
    fileprivate func overlaps(_ other: ConversionRequest) -> Bool {
        guard clip == other.clip, !work.isEdit, !other.work.isEdit, let still = stillSeconds,
            let otherStill = other.stillSeconds
        else { return false }
        return still > otherStill ? still - otherStill < movieLength : otherStill - still < movieLength
    }

    /// Nil if the movie is not around a time in seconds.
    private var stillSeconds: MediaTime? {
        guard case .time(.seconds(let time)) = preset.window.still, preset.window.start == nil, preset.window.end == nil
        else { return nil }
        return time
    }

    private var movieLength: MediaTime { preset.window.duration ?? preset.window.before + preset.window.after }
}
