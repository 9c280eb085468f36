import FFmpegKit
import LivePhotoKit

extension ClipReader {
    /// Decodes frames that were chosen by their times, and calls `body` with each of them, deinterlaced, and the index of its
    /// time.
    ///
    /// - Parameters:
    ///   - times: their presentation times on the clip's clock, in ascending order.
    ///   - hasPacketTimes: whether these are the times of packets.
    ///   - entry: where decoding starts.
    ///   - end: how far the clip is read; nil for the last frame.
    ///   - isApproximate: whether frames may keep the edges of their blocks, which takes less time.
    ///   - onSound: called with each packet of the audio stream; returns whether it needs more.
    /// - Returns: how many frames are replaced, because they did not decode; nil if none did.
    func decodeFrames(
        at times: [MediaTime], hasPacketTimes: Bool = true, from entry: EntryPoint, until end: MediaTime? = nil,
        threads: Int, isApproximate: Bool = false, onSound: ((Packet) throws -> Bool)? = nil,
        _ body: (_ frame: Frame, _ index: Int) throws -> Void
    ) throws -> Int? {
        let isInterlaced = picture.isInterlaced
        let decoder = try ClipDecoder(
            self, entry: entry, hasSound: onSound != nil, threads: threads,
            // Deinterlacing also needs the neighbouring pictures.
            neededFrames: hasPacketTimes && !isInterlaced ? Set(times) : nil, isApproximate: isApproximate,
            isInterlaced: isInterlaced)
        var matcher = FrameMatcher<Frame>(times)
        func deliver(_ matches: [(index: Int, picture: Frame)]) throws {
            for match in matches {
                try cancellation.check()
                try body(match.picture, match.index)
            }
        }
        try decoder.run(until: end ?? (times.last ?? .zero) + nominalFrameDuration) { frame, time in
            try deliver(matcher.offer(frame, at: time))
            return !matcher.isComplete
        } onSound: {
            try onSound?($0) ?? false
        }
        try deliver(matcher.finish())
        return matcher.isComplete ? matcher.substitutions : nil
    }
}
