import FFmpegKit
import LivePhotoKit

/// Decodes frames of a clip that were chosen by their times.
struct ChosenFrames {
    private let reader: ClipReader
    private let times: [MediaTime]
    private let isInterlaced: Bool
    private let threads: Int
    private let cancellation: CancellationFlag

    /// - Parameter times: the presentation times of the frames on the clip's clock, in ascending order.
    init(
        _ reader: ClipReader, _ times: [MediaTime], isInterlaced: Bool, threads: Int, _ cancellation: CancellationFlag
    ) {
        (self.reader, self.times, self.isInterlaced) = (reader, times, isInterlaced)
        (self.threads, self.cancellation) = (threads, cancellation)
    }

    /// Calls `body` with each frame, deinterlaced, and the index of its time.
    ///
    /// - Parameters:
    ///   - entry: where decoding starts.
    ///   - end: how far the clip is read; nil for the last frame.
    ///   - hasPacketTimes: whether the times are those of packets.
    ///   - onSound: called with each packet of the audio stream; returns whether it needs more.
    /// - Returns: how many frames are replaced, because they did not decode; nil if none did.
    func decode(
        from entry: EntryPoint, until end: MediaTime? = nil, hasPacketTimes: Bool = true,
        onSound: ((Packet) throws -> Bool)? = nil, _ body: (_ frame: Frame, _ index: Int) throws -> Void
    ) throws -> Int? {
        // Deinterlacing also needs the neighbouring pictures.
        let needed = hasPacketTimes && !isInterlaced ? Set(times) : nil
        let decoder = try ClipDecoder(
            reader, entry: entry, hasSound: onSound != nil, threads: threads, neededFrames: needed,
            isInterlaced: isInterlaced)
        var matcher = FrameMatcher<Frame>(times)
        func deliver(_ matches: [(index: Int, picture: Frame)]) throws {
            for match in matches {
                try cancellation.check()
                try body(match.picture, match.index)
            }
        }
        try decoder.run(until: end ?? (times.last ?? .zero) + reader.nominalFrameDuration) { frame, time in
            try cancellation.check()
            try deliver(matcher.offer(frame, at: time))
            return !matcher.isComplete
        } onSound: {
            try onSound?($0) ?? false
        }
        try deliver(matcher.finish())
        return matcher.isComplete ? matcher.substitutions : nil
    }
}
