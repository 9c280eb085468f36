import FFmpegKit
import LivePhotoKit

/// What the packets around a window say, without decoding.
struct PacketScan {
    /// Presentation times of the pictures from the entry point on, in rising order.
    private(set) var frames: [MediaTime] = []
    /// The same of all pictures that were read.
    private(set) var allFrames: [MediaTime] = []
    /// The last packet at or before the wanted time that is flagged as a key frame, or the clip's first packet.
    private(set) var entry = EntryPoint.clipStart
    /// Presentation times of all packets flagged as key frames, in the order of the file.
    private var keyTimes: [MediaTime] = []
    /// Whether some of the pictures' packets have no presentation time.
    private(set) var lacksTimes = false
    private var isReordered = false
    /// Whether no picture comes after those that were found.
    private(set) var reachesEnd = true
    /// Where reading broke off; nil where it did not.
    private(set) var damage: ClipDamage?
    private(set) var sound = PacketContinuity()
    /// Presentation times of the first packets of sound.
    private var firstSounds: [MediaTime] = []

    private init() {}

    /// Audio decoders need packets before the first that is heard: frames overlap, and decoders with a bit reservoir (MP3,
    /// WMA) output less of the first packet. `AudioClock` needs some to see which time stamps are wrong. libavformat's FLAC
    /// parser loses the first nine frames, 0.86 s.
    static let soundPreroll = MediaTime(value: 3, timescale: 2)
    private static let soundPrerollPackets = 3

    /// Reads packets from `target` until `end`; nil where the first key frame there comes after `wanted`, as where a
    /// container's index leads too far.
    ///
    /// - Parameter target: where to seek to; nil is the clip's start, from which there is always a scan.
    static func scan(
        _ reader: ClipReader, from target: MediaTime?, wanting wanted: MediaTime, until end: MediaTime
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
            if let decodeTime, decodeTime > end {
                scan.reachesEnd = false
                break
            }
            let time = reader.clipTime(packet.presentationTime)
            scan.lacksTimes = scan.lacksTimes || time == nil
            scan.isReordered = scan.isReordered || packet.presentationTime != packet.decodeTime
            if packet.isKeyFrame, let keyTime = time ?? decodeTime {
                scan.keyTimes.append(keyTime)
                if keyTime <= wanted {
                    scan.entry = EntryPoint(seekTarget: target, keyFrame: keyTime)
                    hasKeyFrame = true
                } else if !hasKeyFrame {
                    return nil
                }
            }
            if !packet.isDiscarded, let time { scan.allFrames.append(time) }
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
    /// - Parameter wanted: pictures before the one shown at this time are left out of `frames`.
    mutating func enterAtStart(wanting wanted: MediaTime) {
        entry = .clipStart
        frames = allFrames.filter { [shown = allFrames.last { $0 <= wanted }] time in time >= shown ?? time }
    }

    /// Whether the packets that were read suffice to decode the sound heard from `time` on. In many containers sound is
    /// stored far from the pictures that it belongs to.
    ///
    /// - Parameter streamStart: when the clip's sound begins; nil where the clip does not say.
    func hasSound(heardFrom time: MediaTime, streamStart: MediaTime?) -> Bool {
        guard let first = firstSounds.first, let last = firstSounds.last else { return true }
        if let streamStart, first <= streamStart { return true }
        return first <= time - Self.soundPreroll && firstSounds.count == Self.soundPrerollPackets && last < time
    }

    /// The picture that the clip shows at `time`, or the first after it; `time` where packets have no times.
    func shown(at time: MediaTime) -> MediaTime {
        lacksTimes ? time : frames.last { $0 <= time } ?? frames.first ?? time
    }

    /// The first packet after `time` that is flagged as a key frame.
    func keyTime(after time: MediaTime) -> MediaTime? { keyTimes.first { $0 > time } }

    /// Whether the entry point is the clip's first picture.
    var entersAtFirstPicture: Bool { entry.keyFrame.map { $0 <= allFrames.first ?? $0 } ?? true }
}

/// Whether AAC packets follow each other as a track of an edit list needs it: without gap or overlap.
struct PacketContinuity {
    private var first: MediaTime?
    private var packetCount: Int64 = 0
    private(set) var isContinuous = true
    /// Packets keep their places to this, however many there are: small gaps must not add up.
    private static let tolerance = MediaTime(value: 4, timescale: 1000)

    /// - Parameter sampleRate: samples a second of the packet's stream.
    mutating func add(_ packet: Packet, sampleRate: Int) {
        guard sampleRate > 0, let time = packet.presentationTime, first == nil || packet.skippedSamples == 0 else {
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

extension [MediaTime] {
    func sortedWithoutDuplicates() -> [MediaTime] {
        sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}
