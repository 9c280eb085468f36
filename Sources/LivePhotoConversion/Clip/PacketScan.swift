import FFmpegKit
import LivePhotoKit

/// The times and key-frame flags of the packets around a window, read without decoding.
struct PacketScan {
    /// Presentation times of the pictures from the entry point on, in ascending order.
    private(set) var frames: [MediaTime] = []
    /// Presentation times of all pictures that were read.
    private(set) var allFrames: [MediaTime] = []
    /// The last packet at or before the first needed time that is flagged as a key frame, or the clip's first packet.
    private(set) var entry = EntryPoint.clipStart
    /// Whether an edit list hides the clip's first picture, and the one of the key frame at which decoding starts.
    private var (hidesFirst, hidesKeyFrame): (Bool?, Bool?)
    /// Presentation times of all packets flagged as key frames, in the order of the file.
    private var keyTimes: [MediaTime] = []
    /// Whether some video packets have no presentation time.
    private(set) var lacksTimes = false
    private(set) var isReordered = false
    /// Whether the clip's last picture was read.
    private(set) var reachesEnd = true
    /// The error that ended reading; nil if there was none.
    private(set) var damage: ClipDamage?
    /// When the last picture that was read ends, by the duration of its packet; nil if no packet has one.
    private(set) var shownUntil: MediaTime?
    private(set) var sound = PacketContinuity()
    /// Presentation times of the first audio packets.
    private var firstSounds: [MediaTime] = []

    private init() {}

    /// Audio decoders need packets before the first audible one: frames overlap, and decoders with a bit reservoir
    /// (MP3, WMA) output less of the first packet. `AudioClock` needs some to recognize wrong time stamps.
    /// libavformat's FLAC parser loses the first nine frames, 0.86 s.
    static let soundPreroll = MediaTime(value: 3, timescale: 2)
    private static let soundPrerollPackets = 3

    /// Reads packets from `target` until `end`; nil if the first key frame there is after `first`, because the
    /// container's index is inexact.
    ///
    /// - Parameter target: where to seek to; nil is the clip's start, where the scan is never nil.
    static func scan(
        _ reader: ClipReader, seekingTo target: MediaTime?, first: MediaTime, until end: MediaTime
    ) throws -> PacketScan? {
        try reader.seek(to: target)
        reader.demuxer.select(streams: Set([reader.video.index, reader.audio?.index].compactMap { $0 }))
        let packet = try Packet()
        var scan = PacketScan()
        var hasKeyFrame = target == nil
        while try reader.read(into: packet) {
            let decodeTime = reader.clipTime(packet.decodeTime ?? packet.presentationTime)
            guard packet.streamIndex == reader.video.index else {
                if packet.streamIndex == reader.audio?.index {
                    if scan.firstSounds.count < soundPrerollPackets,
                        let time = reader.clipTime(packet.presentationTime ?? packet.decodeTime)
                    {
                        scan.firstSounds.append(time)
                    }
                    scan.sound.add(packet, sampleRate: reader.audio?.audio?.sampleRate ?? 0)
                }
                continue
            }
            // Where one of several edits ends, libavformat goes on to the next key frame, and then back to the next edit.
            if let decodeTime, decodeTime > end, !packet.isDiscarded {
                scan.reachesEnd = false
                break
            }
            let time = reader.clipTime(packet.presentationTime)
            scan.lacksTimes = scan.lacksTimes || time == nil
            scan.hidesFirst = scan.hidesFirst ?? packet.isDiscarded
            scan.isReordered = scan.isReordered || packet.presentationTime != packet.decodeTime
            if packet.isKeyFrame, let keyTime = time ?? decodeTime {
                scan.keyTimes.append(keyTime)
                if keyTime <= first {
                    scan.entry = EntryPoint(seekTarget: target, keyFrame: keyTime)
                    scan.hidesKeyFrame = packet.isDiscarded
                    hasKeyFrame = true
                } else if !hasKeyFrame {
                    return nil
                }
            }
            guard !packet.isDiscarded, let time else { continue }
            scan.allFrames.append(time)
            if let duration = packet.duration { scan.shownUntil = max(scan.shownUntil ?? time, time + duration) }
        }
        guard hasKeyFrame else { return nil }
        scan.damage = reader.damage
        if reader.mayPresentInDecodeOrder, !scan.isReordered { scan.lacksTimes = true }
        scan.allFrames = scan.allFrames.sortedWithoutDuplicates()
        scan.frames = scan.allFrames.filter { $0 >= scan.entry.keyFrame ?? $0 }
        return scan
    }

    /// Makes the clip's first packet the entry point, after a scan from the clip's start.
    ///
    /// - Parameter first: pictures before the one shown at this time are removed from `frames`.
    mutating func enterAtStart(first: MediaTime) {
        entry = .clipStart
        frames = allFrames.filter { [shown = allFrames.last { $0 <= first }] time in time >= shown ?? time }
    }

    /// Whether the packets that were read suffice to decode the sound from `time` on. Many containers store sound far
    /// from the pictures of the same time.
    ///
    /// - Parameter streamStart: the start of the clip's sound; nil if unknown.
    func hasSound(heardFrom time: MediaTime, streamStart: MediaTime?) -> Bool {
        guard let first = firstSounds.first, let last = firstSounds.last else { return true }
        if let streamStart, first <= streamStart { return true }
        return first <= time - Self.soundPreroll && firstSounds.count == Self.soundPrerollPackets && last < time
    }

    /// The time of the picture shown at `time`, or of the first one after it; `time` if packets have no times.
    func shown(at time: MediaTime) -> MediaTime {
        lacksTimes ? time : frames.last { $0 <= time } ?? frames.first ?? time
    }

    /// Whether reading failed before the picture that is shown at `time` was reached.
    func breaksOff(before time: MediaTime) -> Bool {
        damage.map { $0.time < time } == true && !frames.contains { $0 >= time }
    }

    /// The first packet after `time` that is flagged as a key frame.
    func keyTime(after time: MediaTime) -> MediaTime? { keyTimes.first { $0 > time } }

    /// Whether an edit list hides the picture at the entry point.
    var entersAtHiddenPicture: Bool { (entry == .clipStart ? hidesFirst : hidesKeyFrame) == true }

    /// Whether the entry point is the clip's first picture.
    var entersAtFirstPicture: Bool { entry.keyFrame.map { $0 <= allFrames.first ?? $0 } ?? true }
}

/// Whether AAC packets have no gaps or overlaps, and none is empty, as a track that is cut by an edit list requires.
struct PacketContinuity {
    private var first: MediaTime?
    private var packetCount: Int64 = 0
    private(set) var isContinuous = true
    /// Maximum difference between a packet's time and its place by counting samples, so that small gaps do not add up.
    private static let tolerance = MediaTime(value: 4, timescale: 1000)

    /// - Parameter sampleRate: samples a second of the packet's stream.
    mutating func add(_ packet: Packet, sampleRate: Int) {
        guard sampleRate > 0, packet.byteCount > 0, let time = packet.presentationTime,
            first == nil || packet.skippedSamples == 0
        else {
            isContinuous = false
            return
        }
        let samples = packetCount * Int64(AACEncoder.samplesPerPacket)
        let place = (first ?? time) + MediaTime(value: samples, timescale: Int32(clamping: sampleRate))
        if time < place - Self.tolerance || time > place + Self.tolerance { isContinuous = false }
        first = first ?? time
        packetCount += 1
    }
}

extension MediaTime {
    /// Later than the end of any clip.
    static let distantFuture = MediaTime(value: .max / 2, timescale: 1)
}

extension [MediaTime] {
    func sortedWithoutDuplicates() -> [MediaTime] {
        sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}
