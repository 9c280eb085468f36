import FFmpegKit
import LivePhotoKit

/// Reads a clip from a key frame on, decodes its video, and delivers frames and audio packets in file order.
///
/// Both the probe and the conversion use it, so they see the same frames at the same times.
final class ClipDecoder {
    private let reader: ClipReader
    private let threads: Int
    private let hasSound: Bool
    private var decoder: Decoder?
    private let entry: EntryPoint
    private let packet: Packet
    private let neededFrames: Set<MediaTime>?
    private let isApproximate: Bool
    /// Used for frames without a time from the container or the codec.
    private var nextTime = MediaTime.zero

    /// How far to read past the last picture, because audio may be stored later than the pictures of the same time.
    static let interleavingSlack = MediaTime(value: 10, timescale: 1)

    /// - Parameters:
    ///   - entry: where to start.
    ///   - hasSound: whether audio packets are delivered.
    ///   - neededFrames: the presentation times of the needed frames on the clip's clock, as in their packets. Other
    ///     frames are skipped if no needed frame depends on them. Nil needs all frames.
    ///   - isApproximate: whether frames may keep the edges of their blocks, which takes less time.
    init(
        _ reader: ClipReader, entry: EntryPoint, hasSound: Bool = false, threads: Int,
        neededFrames: Set<MediaTime>? = nil, isApproximate: Bool = false
    ) throws {
        self.reader = reader
        self.entry = entry
        (self.neededFrames, self.isApproximate) = (neededFrames, isApproximate)
        try reader.seek(to: entry.seekTarget)
        reader.demuxer.select(
            streams: Set([reader.video.index, hasSound ? reader.audio?.index : nil].compactMap { $0 }))
        self.threads = threads
        self.hasSound = hasSound && reader.audio != nil
        packet = try Packet()
    }

    /// Reads until both handlers have returned false, the clip ends, or its pictures are far past `end`.
    ///
    /// - Parameters:
    ///   - onFrame: called with each frame and its time on the clip's clock; returns whether it needs more.
    ///   - onSound: called with each packet of the audio stream; returns whether it needs more.
    func run(
        until end: MediaTime, onFrame: (Frame, MediaTime) throws -> Bool,
        onSound: (Packet) throws -> Bool = { _ in false }
    ) throws {
        var wantsFrames = true
        var wantsSound = hasSound
        var isDecoding = entry.keyFrame == nil
        while wantsFrames || wantsSound, try reader.read(into: packet) {
            if packet.streamIndex == reader.video.index {
                if let time = packetTime, time > end + Self.interleavingSlack { break }
                isDecoding = isDecoding || isStart(packet)
                guard wantsFrames, isDecoding else { continue }
                let decoder =
                    try self.decoder
                    ?? Decoder(
                        reader.demuxer, stream: reader.video.index, threads: threads, isApproximate: isApproximate)
                self.decoder = decoder
                try decoder.send(packet, isNeeded: isNeeded(packet))
                wantsFrames = try deliver(decoder, onFrame)
            } else if wantsSound, packet.streamIndex == reader.audio?.index {
                // Some demuxers ignore the selection of streams, and streams may start in the middle of the clip.
                wantsSound = try onSound(packet)
            }
        }
        if wantsFrames, let decoder {
            try decoder.send(nil)
            _ = try deliver(decoder, onFrame)
        }
    }

    private var packetTime: MediaTime? { reader.clipTime(packet.decodeTime ?? packet.presentationTime) }

    private func isNeeded(_ packet: Packet) -> Bool {
        guard let neededFrames, let time = reader.clipTime(packet.presentationTime) else { return true }
        return neededFrames.contains(time)
    }

    private func isStart(_ packet: Packet) -> Bool {
        guard packet.isKeyFrame, let time = reader.clipTime(packet.presentationTime ?? packet.decodeTime),
            let keyFrame = entry.keyFrame
        else { return false }
        return time >= keyFrame
    }

    private func deliver(_ decoder: Decoder, _ onFrame: (Frame, MediaTime) throws -> Bool) throws -> Bool {
        while case .frame(let frame) = try decoder.receive() {
            try reader.countDecoded(frame.size)
            let time = reader.clipTime(frame.presentationTime) ?? nextTime
            nextTime = time + (frame.duration ?? reader.nominalFrameDuration)
            if try !onFrame(frame, time) { return false }
        }
        return true
    }
}
