package import MediaModel

/// Selects the pictures of a schedule from a stream of decoded pictures.
///
/// The schedule's times are those of packets, so nearly always a picture has exactly the scheduled time. If a packet
/// does not decode, the picture nearest to its time replaces it.
package struct FrameMatcher<Picture> {
    private let times: [MediaTime]
    private var next = 0
    private var previous: (picture: Picture, time: MediaTime)?
    /// How many pictures replace one that did not decode.
    package private(set) var substitutions = 0

    /// - Parameter times: the scheduled source times in ascending order.
    package init(_ times: [MediaTime]) {
        self.times = times
    }

    package var isComplete: Bool { next == times.count }

    /// - Returns: the indices of the scheduled frames that match this picture or the previous one.
    package mutating func offer(_ picture: Picture, at time: MediaTime) -> [(index: Int, picture: Picture)] {
        // Pictures whose time stamps go back, as in damaged clips, are ignored.
        if let previous, time <= previous.time { return [] }
        var found: [(index: Int, picture: Picture)] = []
        while next < times.count, times[next] <= time {
            let target = times[next]
            if target != time { substitutions += 1 }
            if let previous, target - previous.time < time - target {
                found.append((next, previous.picture))
            } else {
                found.append((next, picture))
            }
            next += 1
        }
        previous = (picture, time)
        return found
    }

    /// - Returns: the remaining scheduled frames after the last picture, which replaces them.
    package mutating func finish() -> [(index: Int, picture: Picture)] {
        guard let previous else { return [] }
        let rest = (next..<times.count).map { (index: $0, picture: previous.picture) }
        substitutions += rest.count
        next = times.count
        return rest
    }
}
