import FFmpegKit
import LivePhotoKit
import LivePhotoRequests

/// Examines a clip for a plan: by the packets' time stamps, or, if they have none, by decoding.
struct ClipProbe {
    let reader: ClipReader
    /// The number of threads of the `ClipDecoder` that will decode what is described; nil if none will.
    var threads: Int?

    /// The time range in which the clip has pictures; its sound may start earlier or end later. If the container does
    /// not declare it, all packets are read.
    func pictureSpan() throws -> PictureSpan {
        let start = try reader.pictureStart()
        if let duration = reader.demuxer.duration {
            guard let length = reader.video.duration, let start else { return PictureSpan(start: start, end: duration) }
            return PictureSpan(start: start, end: min(duration, start + length))
        }
        let frames = try allFrameTimes()
        guard let last = frames.last else { throw noFrames }
        return PictureSpan(start: frames.first, end: last + frameDuration)
    }

    /// A time of the clip as users write it.
    func time(_ time: ClipTime, in span: PictureSpan) throws -> MediaTime {
        switch time {
        case .seconds(let time): time
        case .part(let part): span.start + part.of(span.end - span.start)
        case .frame(let number): try self.time(ofFrame: number)
        }
    }

    /// The presentation time of a frame; the clip's first has index 0.
    private func time(ofFrame index: Int) throws -> MediaTime {
        let times = try allFrameTimes()
        guard !times.isEmpty else { throw noFrames }
        guard times.indices.contains(index) else {
            throw LivePhotoError(
                .invalidRequest, reader.path,
                "there is no frame #\(index) in the clip, which has the frames #0 to #\(times.count - 1)")
        }
        return times[index]
    }

    /// Examines the clip around a window.
    func describe(_ window: Window, span: PictureSpan) throws -> ClipDescription {
        try describe(from: min(window.start, window.still), to: window.end, span: span)
    }

    /// Examines a part of the clip.
    func describe(from first: MediaTime, to end: MediaTime, span: PictureSpan) throws -> ClipDescription {
        let start = try EntrySearch(reader: reader, threads: threads).find(first, until: end)
        let scan = start.scan
        let hasPacketTimes = !scan.lacksTimes && !scan.frames.isEmpty
        var frames = hasPacketTimes ? scan.frames : try decodedFrameTimes(from: scan.entry, until: end)
        var warnings = [start.warning].compactMap(\.self)
        if let complete = start.firstComplete, frames.contains(where: { $0 < complete }),
            frames.contains(where: { $0 >= complete })
        {
            frames.removeAll { $0 < complete }
            warnings.append("the clip's pictures before \(complete) are incomplete and are left out")
        }
        guard let last = frames.last else { throw noFrames }
        let reachesEnd = hasPacketTimes ? scan.reachesEnd : last <= end
        var clip = ClipDescription(
            path: reader.path, span: span,
            picture: start.picture.map(reader.picture.shaped) ?? reader.picture,
            audio: reader.audio.map { ClipDescription.AudioTrack(stream: $0, isContinuous: scan.sound.isContinuous) },
            frameTimes: frames, endOfPicture: reachesEnd ? last + frameDuration : nil, entry: scan.entry)
        clip.shownUntil = clip.endOfPicture.map { max($0, hasPacketTimes ? scan.shownUntil ?? $0 : $0) }
        // An edit list may end within the last sample.
        if reachesEnd, let end = reader.endOfShownPictures, end > last {
            clip.endOfPicture = clip.endOfPicture.map { min($0, end) }
            clip.shownUntil = clip.shownUntil.map { min($0, end) }
        }
        clip.videoCodec = reader.video.codecName
        clip.pictureWarnings = warnings + reader.trackWarnings
        clip.soundWarnings = reader.soundWarnings
        clip.damage = hasPacketTimes ? scan.damage : reader.damage
        clip.metadata = reader.metadata
        clip.hasPacketTimes = hasPacketTimes
        return clip
    }

    private var frameDuration: MediaTime { reader.nominalFrameDuration }

    private var noFrames: LivePhotoError {
        LivePhotoError(
            .unusableMedia, reader.path,
            "none of its \(reader.video.codecName) video can be decoded; the file is damaged or incomplete")
    }

    /// The presentation times of all frames, for which all packets are read.
    func allFrameTimes() throws -> [MediaTime] {
        guard let scan = try PacketScan.scan(reader, seekingTo: nil, first: .zero, until: .distantFuture) else {
            return []
        }
        return scan.lacksTimes ? try decodedFrameTimes(from: .clipStart, until: .distantFuture) : scan.frames
    }

    private func decodedFrameTimes(from entry: EntryPoint, until end: MediaTime) throws -> [MediaTime] {
        var times: [MediaTime] = []
        try ClipDecoder(reader, entry: entry, threads: Decoder.defaultThreads).run(until: end) { _, time in
            times.append(time)
            return time <= end
        }
        return times.sortedWithoutDuplicates()
    }
}
