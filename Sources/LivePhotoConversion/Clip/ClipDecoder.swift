import FFmpegKit
import LivePhotoKit

/// Reads a clip from a key frame on, decodes its picture, and hands over frames and sound packets as they come.
///
/// The probe and the conversion both read through here, so that both see the same frames at the same times.
final class ClipDecoder {
    private let reader: ClipReader
    private let threads: Int
    private let hasSound: Bool
    private var decoder: Decoder?
    private let entry: EntryPoint
    private let packet: Packet
    private let wanted: Set<MediaTime>?
    /// For frames to which neither the container nor the codec gives a time.
    private var nextTime = MediaTime.zero
    private let nominalDuration: MediaTime

    /// Sound that lies in the file later than the picture it belongs to is looked for this much further on.
    static let interleavingSlack = MediaTime(value: 10, timescale: 1)

    /// - Parameters:
    ///   - entry: where to begin.
    ///   - hasSound: whether packets of sound are handed over.
    ///   - wanted: the only frames that are needed, by their packets' presentation times on the clip's clock; of others
    ///     as many are left out as costs nothing of these. Nil needs all.
    init(
        _ reader: ClipReader, entry: EntryPoint, hasSound: Bool, threads: Int, wanted: Set<MediaTime>? = nil
    ) throws {
        self.reader = reader
        self.entry = entry
        self.wanted = wanted
        nominalDuration = reader.nominalFrameDuration
        try reader.seek(to: entry.seekTarget)
        reader.demuxer.select(
            streams: Set([reader.video.index, hasSound ? reader.audio?.index : nil].compactMap { $0 }))
        self.threads = threads
        self.hasSound = hasSound && reader.audio != nil
        packet = try Packet()
    }

    /// Reads until both handlers want no more, or the clip ends, or its pictures are far past `end`.
    ///
    /// - Parameters:
    ///   - onFrame: called with each frame and its time on the clip's clock; returns whether it wants more.
    ///   - onSound: called with each packet of the sound's stream; returns whether it wants more.
    func run(
        until end: MediaTime, onFrame: (Frame, MediaTime) throws -> Bool, onSound: (Packet) throws -> Bool
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
                    try self.decoder ?? Decoder(reader.demuxer, stream: reader.video.index, threads: threads)
                self.decoder = decoder
                try decoder.send(packet, isWanted: isWanted(packet))
                wantsFrames = try deliver(decoder, onFrame)
            } else if wantsSound, packet.streamIndex == reader.audio?.index {
                // Not every container's reader keeps to the selection, and streams may begin on the way.
                wantsSound = try onSound(packet)
            }
        }
        if wantsFrames, let decoder {
            try decoder.send(nil)
            _ = try deliver(decoder, onFrame)
        }
    }

    private var packetTime: MediaTime? { reader.clipTime(packet.decodeTime ?? packet.presentationTime) }

    private func isWanted(_ packet: Packet) -> Bool {
        guard let wanted, let time = reader.clipTime(packet.presentationTime) else { return true }
        return wanted.contains(time)
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
            nextTime = time + (frame.duration ?? nominalDuration)
            if try !onFrame(frame, time) { return false }
        }
        return true
    }
}
