import FFmpegKit
import LivePhotoKit

/// Reads a clip from a key frame on, decodes its video, and delivers frames and audio packets in file order.
///
/// Both the probe and the conversion use it, so they see the same frames at the same times.
final class ClipDecoder {
    enum Item {
        /// A decoded frame and its time on the clip's clock.
        case frame(Frame, MediaTime)
        /// A packet of the audio stream.
        case sound(Packet)
    }

    private let reader: ClipReader
    private let threads: Int
    private let hasSound: Bool
    private var decoder: Decoder?
    private let entry: EntryPoint
    private var packet: Packet
    private let neededFrames: Set<MediaTime>?
    private let isApproximate: Bool
    private let showsHidden: Bool
    private let deinterlacer: Deinterlacer?
    /// Used for frames without a time from the container or the codec.
    private var nextTime = MediaTime.zero
    /// The items of a `ClipBeginning` that are still to be delivered, the last one first.
    private var waiting: [Item] = []
    private var hasEnded = false
    /// What `nextFrame` has read; nil if that is too much to keep.
    private var kept: [Item]? = []
    private var keptSound = 0

    /// How far to read past the last picture, because audio may be stored later than the pictures of the same time.
    static let interleavingSlack = MediaTime(value: 10, timescale: 1)
    /// The most bytes of audio packets in a `ClipBeginning`: ten seconds of uncompressed stereo.
    private static let mostKeptSound = 2 << 20

    /// - Parameters:
    ///   - entry: where to start.
    ///   - hasSound: whether audio packets are delivered.
    ///   - neededFrames: the presentation times of the needed frames on the clip's clock, as in their packets. Other
    ///     frames are skipped if no needed frame depends on them. Nil needs all frames.
    ///   - isApproximate: whether frames may keep the edges of their blocks, which takes less time.
    ///   - showsHidden: whether frames that an edit list hides are delivered too.
    ///   - isInterlaced: whether `run` deinterlaces the frames.
    init(
        _ reader: ClipReader, entry: EntryPoint, hasSound: Bool = false, threads: Int,
        neededFrames: Set<MediaTime>? = nil, isApproximate: Bool = false, showsHidden: Bool = false,
        isInterlaced: Bool = false
    ) throws {
        self.reader = reader
        self.entry = entry
        (self.neededFrames, self.isApproximate, self.showsHidden) = (neededFrames, isApproximate, showsHidden)
        self.threads = threads
        deinterlacer = isInterlaced ? Deinterlacer(threads: threads) : nil
        self.hasSound = hasSound && reader.audio != nil
        packet = try Packet()
        if sharesBeginning, let beginning = reader.beginning, beginning.entry == entry, beginning.threads == threads {
            (decoder, nextTime, waiting) = (beginning.decoder, beginning.nextTime, beginning.items.reversed())
        } else {
            try reader.seek(to: entry.seekTarget)
        }
        reader.beginning = nil
        reader.demuxer.select(
            streams: Set([reader.video.index, hasSound ? reader.audio?.index : nil].compactMap { $0 }))
    }

    /// Whether the frames are those that others of this clip deliver too.
    private var sharesBeginning: Bool { !isApproximate && !showsHidden }

    /// Reads until both handlers have returned false, the clip ends, or its pictures are far past `end`.
    ///
    /// - Parameters:
    ///   - onFrame: called with each frame and its time on the clip's clock; returns whether it needs more.
    ///   - onSound: called with each packet of the audio stream; returns whether it needs more.
    func run(
        until end: MediaTime, onFrame: (Frame, MediaTime) throws -> Bool,
        onSound: (Packet) throws -> Bool = { _ in false }
    ) throws {
        try run(until: end, wantsFrames: true, onFrame: onFrame, onSound: onSound)
    }

    /// Reads the audio packets that `run` reads, without decoding a frame.
    func readSound(until end: MediaTime, _ body: (Packet) throws -> Bool) throws {
        try run(until: end, wantsFrames: false, onFrame: { _, _ in false }, onSound: body)
    }

    private func run(
        until end: MediaTime, wantsFrames: Bool, onFrame: (Frame, MediaTime) throws -> Bool,
        onSound: (Packet) throws -> Bool
    ) throws {
        var wantsFrames = wantsFrames
        var wantsSound = hasSound
        while wantsFrames || wantsSound,
            let item = try next(until: end, wantsFrames: wantsFrames, wantsSound: wantsSound)
        {
            try reader.cancellation.check()
            switch item {
            case .frame(let frame, let time):
                for ready in try deinterlacer?.offer(frame, at: time) ?? [(frame, time)] {
                    wantsFrames = try onFrame(ready.picture, ready.time)
                }
            case .sound(let packet): wantsSound = try onSound(packet)
            }
        }
        for ready in try deinterlacer?.finish() ?? [] { _ = try onFrame(ready.picture, ready.time) }
    }

    /// The next frame and its time on the clip's clock; nil at the end of the clip, or if its pictures are far past `end`.
    func nextFrame(until end: MediaTime) throws -> (frame: Frame, time: MediaTime)? {
        // A second frame would take much memory.
        if kept?.isEmpty == false { kept = nil }
        while let item = try next(until: end, wantsFrames: true, wantsSound: hasSound) {
            kept?.append(item)
            switch item {
            case .frame(let frame, let time): return (frame, time)
            case .sound(let sound):
                keptSound += sound.byteCount
                if keptSound > Self.mostKeptSound { kept = nil }
                packet = try Packet()
            }
        }
        return nil
    }

    /// Leaves what `nextFrame` has read to the next `ClipDecoder`, which continues with it if it has the same entry point and
    /// nothing else is read from the clip before. This one must not be used after that.
    func leaveBeginning() {
        guard let decoder, let kept, !hasEnded, sharesBeginning else { return }
        reader.beginning = ClipBeginning(
            entry: entry, threads: threads, decoder: decoder, items: kept, nextTime: nextTime)
    }

    private func next(until end: MediaTime, wantsFrames: Bool, wantsSound: Bool) throws -> Item? {
        while let item = waiting.popLast() {
            switch item {
            case .frame where wantsFrames, .sound where wantsSound: return item
            case .frame, .sound: continue
            }
        }
        while true {
            if wantsFrames, let (frame, time) = try decodedFrame() { return .frame(frame, time) }
            if hasEnded { return nil }
            guard try reader.read(into: packet), !isFar(past: end) else {
                hasEnded = true
                if wantsFrames { try decoder?.send(nil) }
                continue
            }
            if packet.streamIndex == reader.video.index {
                if wantsFrames { try decode() }
            } else if wantsSound, packet.streamIndex == reader.audio?.index {
                // Some demuxers ignore the selection of streams, and streams may start in the middle of the clip.
                return .sound(packet)
            }
        }
    }

    private func isFar(past end: MediaTime) -> Bool {
        guard packet.streamIndex == reader.video.index, !packet.isDiscarded,
            let time = reader.clipTime(packet.decodeTime ?? packet.presentationTime)
        else { return false }
        return time > end + Self.interleavingSlack
    }

    /// Gives the decoder a packet of the video stream, from the entry point on.
    private func decode() throws {
        guard entry.keyFrame == nil || decoder != nil || isStart else { return }
        let decoder =
            try decoder
            ?? Decoder(reader.demuxer, stream: reader.video.index, threads: threads, isApproximate: isApproximate)
        self.decoder = decoder
        if showsHidden { packet.clearDiscard() }
        try decoder.send(packet, isNeeded: isNeeded)
    }

    private var isNeeded: Bool {
        guard let neededFrames, let time = reader.clipTime(packet.presentationTime) else { return true }
        return neededFrames.contains(time)
    }

    private var isStart: Bool {
        guard packet.isKeyFrame, let time = reader.clipTime(packet.presentationTime ?? packet.decodeTime),
            let keyFrame = entry.keyFrame
        else { return false }
        return time >= keyFrame
    }

    private func decodedFrame() throws -> (Frame, MediaTime)? {
        guard let decoder, case .frame(let frame) = try decoder.receive() else { return nil }
        try reader.countDecoded(frame.size)
        let time = reader.clipTime(frame.presentationTime) ?? nextTime
        nextTime = time + (frame.duration ?? reader.nominalFrameDuration)
        return (frame, time)
    }
}

/// The first frame from an entry point on, with the decoder that can go on after it.
struct ClipBeginning {
    let entry: EntryPoint
    let threads: Int
    let decoder: Decoder
    /// The audio packets before the frame, if the clip has sound, and the frame.
    let items: [ClipDecoder.Item]
    /// When the next frame is shown if it has no time of its own.
    let nextTime: MediaTime
}
