import FFmpegKit
import LivePhotoKit

/// Finds out about a clip what a plan needs to know: by its packets' time stamps where they have them, which costs
/// no decoding, else by decoding.
struct ClipProbe {
    let reader: ClipReader

    /// How long the clip lasts, which is as long as there is picture: sound that goes on after it has nothing to show.
    /// Where the container does not know, all packets are read for it.
    func duration() throws -> MediaTime {
        if let duration = reader.demuxer.duration {
            guard let length = reader.video.duration, let start = reader.clipTime(reader.video.startTime) else {
                return duration
            }
            return min(duration, start + length)
        }
        let frames = try allFrameTimes()
        guard let last = frames.last else { throw noFrames }
        return last + frameDuration
    }

    /// The presentation time of the clip's frame number `index`, counted from 0.
    func time(ofFrame index: Int) throws -> MediaTime {
        let times = try allFrameTimes()
        guard !times.isEmpty else { throw noFrames }
        guard times.indices.contains(index) else {
            throw LivePhotoError(
                .invalidRequest, reader.path,
                "there is no frame #\(index) in the clip, which has the frames #0 to #\(times.count - 1)")
        }
        return times[index]
    }

    /// Everything about the clip around a window.
    func describe(_ window: Window, duration: MediaTime) throws -> ClipDescription {
        let first = min(window.start, window.still)
        var found = try scan(wanting: first, until: window.end)
        if found.lacksTimes || found.frames.isEmpty {
            found.frames = try decodedFrameTimes(from: found.entry, until: window.end)
            found.reachesEnd = found.frames.last.map { $0 <= window.end } ?? true
        }
        guard let last = found.frames.last else { throw noFrames }
        return ClipDescription(
            path: reader.path, containerName: reader.demuxer.containerName, duration: duration, video: reader.video,
            picture: reader.picture,
            audio: reader.audio.map {
                ClipDescription.AudioTrack(stream: $0, isContinuous: found.sound.isContinuous)
            },
            soundWarnings: reader.soundWarnings, metadata: reader.metadata, frameTimes: found.frames,
            endOfPicture: found.reachesEnd ? last + frameDuration : nil, entry: found.entry)
    }

    private var frameDuration: MediaTime { reader.nominalFrameDuration }

    private var noFrames: LivePhotoError {
        LivePhotoError(
            .unusableMedia, reader.path,
            "none of its \(reader.video.codecName) video can be decoded; the file is damaged or incomplete")
    }

    private struct Scan {
        var frames: [MediaTime] = []
        var entry = EntryPoint.clipStart
        var lacksTimes = false
        /// Whether no picture comes after those that were found.
        var reachesEnd = true
        var sound = PacketContinuity()
    }

    /// Reads packets from a key frame at or before `wanted` on; steps further back until there is one, and until
    /// decoding from it gives the wanted picture.
    private func scan(wanting wanted: MediaTime, until end: MediaTime) throws -> Scan {
        var latestKeyFrame = wanted
        for step: Int64 in [0, 1, 4, 16, 64] {
            let target = latestKeyFrame - MediaTime(value: step, timescale: 1)
            guard reader.demuxer.canSeek, target > .zero else { break }
            guard let scan = try scan(from: target, wanting: latestKeyFrame, until: end) else { continue }
            let late = try lateness(of: scan, wanting: wanted)
            if late <= .zero { return scan }
            latestKeyFrame = wanted - late
        }
        return try scan(from: nil, wanting: latestKeyFrame, until: end) ?? Scan()
    }

    /// How long after the picture that the clip shows at `wanted` the first one comes that decoding gives.
    ///
    /// H.264 marks as key frames also the beginnings of a gradual refresh (ISO/IEC 14496-10, D.2.8, recovery point),
    /// and only what comes after it is whole.
    private func lateness(of scan: Scan, wanting wanted: MediaTime) throws -> MediaTime {
        let shown = scan.frames.last { $0 <= wanted } ?? scan.frames.first
        guard reader.video.codecName == "h264", let shown else { return .zero }
        var first = shown
        let decoder = try ClipDecoder(reader, entry: scan.entry, soundFrom: nil, threads: 1)
        try decoder.run(until: shown) { _, time in
            first = time
            return false
        } onSound: { _ in
            false
        }
        return first - shown
    }

    /// Nil when the container's index led to a place after `wanted`.
    private func scan(from target: MediaTime?, wanting wanted: MediaTime, until end: MediaTime) throws -> Scan? {
        try reader.seek(to: target)
        reader.demuxer.select(streams: Set([reader.video.index, reader.audio?.index].compactMap { $0 }))
        let packet = try Packet()
        var scan = Scan()
        var hasKeyFrame = target == nil
        while try reader.read(into: packet) {
            let decodeTime = reader.clipTime(packet.decodeTime ?? packet.presentationTime)
            guard packet.streamIndex == reader.video.index else {
                if packet.streamIndex == reader.audio?.index {
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
            if packet.isKeyFrame, let keyTime = time ?? decodeTime {
                if keyTime <= wanted {
                    scan.entry = EntryPoint(seekTarget: target, keyFrame: keyTime)
                    scan.frames.removeAll()
                    hasKeyFrame = true
                } else if !hasKeyFrame {
                    return nil
                }
            }
            if hasKeyFrame, !packet.isDiscarded, let time, time >= scan.entry.keyFrame ?? time {
                scan.frames.append(time)
            }
        }
        guard hasKeyFrame else { return nil }
        scan.frames = scan.frames.sortedWithoutDuplicates()
        return scan
    }

    private func allFrameTimes() throws -> [MediaTime] {
        let everything = MediaTime(value: .max / 2, timescale: 1)
        guard let scan = try scan(from: nil, wanting: .zero, until: everything) else { return [] }
        return scan.lacksTimes ? try decodedFrameTimes(from: .clipStart, until: everything) : scan.frames
    }

    private func decodedFrameTimes(from entry: EntryPoint, until end: MediaTime) throws -> [MediaTime] {
        var times: [MediaTime] = []
        let decoder = try ClipDecoder(
            reader, entry: entry, soundFrom: nil, threads: ConversionPlan.defaultThreads)
        try decoder.run(until: end) { _, time in
            times.append(time)
            return time <= end
        } onSound: { _ in
            false
        }
        return times.sortedWithoutDuplicates()
    }
}

/// Whether AAC packets follow each other as a track of an edit list needs it: without gap or overlap.
private struct PacketContinuity {
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
        let samples = packetCount * Int64(AACFormat.samplesPerPacket)
        let place = (first ?? time) + MediaTime(value: samples, timescale: Int32(clamping: sampleRate))
        if time < place - Self.tolerance || time > place + Self.tolerance { isContinuous = false }
        first = first ?? time
        packetCount += 1
    }
}

extension [MediaTime] {
    fileprivate func sortedWithoutDuplicates() -> [MediaTime] {
        sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}
