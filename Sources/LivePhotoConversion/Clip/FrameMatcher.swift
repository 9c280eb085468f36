package import MediaModel

/// Finds, in a stream of decoded pictures, those that a schedule asks for.
///
/// The schedule's times come from the packets, so nearly always a picture comes at exactly the time that is asked
/// for. Where a packet turns out not to decode, the picture nearest to its time takes its place.
package struct FrameMatcher<Picture> {
    private let wanted: [MediaTime]
    private var next = 0
    private var previous: (picture: Picture, time: MediaTime)?
    /// How many pictures replace one that did not decode.
    package private(set) var substitutions = 0

    /// - Parameter wanted: source times in rising order.
    package init(wanted: [MediaTime]) {
        self.wanted = wanted
    }

    package var isComplete: Bool { next == wanted.count }

    /// - Returns: which of the wanted frames this picture, or the one before it, is.
    package mutating func offer(_ picture: Picture, at time: MediaTime) -> [(index: Int, picture: Picture)] {
        // Time stamps that go back belong to damaged clips; the pictures are passed over.
        if let previous, time <= previous.time { return [] }
        var found: [(index: Int, picture: Picture)] = []
        while next < wanted.count, wanted[next] <= time {
            let target = wanted[next]
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

    /// - Returns: what is still wanted when no more pictures come; the last picture replaces them.
    package mutating func finish() -> [(index: Int, picture: Picture)] {
        guard let previous else { return [] }
        let rest = (next..<wanted.count).map { (index: $0, picture: previous.picture) }
        substitutions += rest.count
        next = wanted.count
        return rest
    }
}
