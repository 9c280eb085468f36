import FFmpegKit
import LivePhotoKit

/// Finds out what a plan needs to know about a clip: from packet time stamps, which needs no decoding, or by decoding
/// where packets have none.
struct ClipProbe {
    let reader: ClipReader

    /// From when until when the clip has pictures: sound that begins before or goes on after them has nothing to show.
    /// If the container does not declare it, all packets are read.
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
    ///
    /// - Parameter shape: the shape of the picture at the still, if it is known already.
    func describe(_ window: Window, span: PictureSpan, shape: PictureShape? = nil) throws -> ClipDescription {
        let first = min(window.start, window.still)
        let start = try EntrySearch(reader: reader).find(wanting: first, until: window.end)
        let scan = start.scan
        let hasPacketTimes = !scan.lacksTimes && !scan.frames.isEmpty
        var frames = hasPacketTimes ? scan.frames : try decodedFrameTimes(from: scan.entry, until: window.end)
        var warnings = [start.warning].compactMap(\.self)
        if let whole = start.firstWhole, frames.contains(where: { $0 < whole }), frames.contains(where: { $0 >= whole })
        {
            frames.removeAll { $0 < whole }
            warnings.append("the clip's pictures before \(whole) are incomplete and are left out")
        }
        guard let last = frames.last else { throw noFrames }
        let reachesEnd = hasPacketTimes ? scan.reachesEnd : last <= window.end
        return ClipDescription(
            path: reader.path, containerName: reader.demuxer.containerName, span: span, video: reader.video,
            picture: (shape ?? start.picture).map(reader.picture.shaped) ?? reader.picture,
            hasShapeOfStill: shape != nil,
            audio: reader.audio.map { ClipDescription.AudioTrack(stream: $0, isContinuous: scan.sound.isContinuous) },
            pictureWarnings: warnings, soundWarnings: reader.soundWarnings,
            damage: hasPacketTimes ? scan.damage : reader.damage,
            metadata: reader.metadata, frameTimes: frames, hasPacketTimes: hasPacketTimes,
            endOfPicture: reachesEnd ? last + frameDuration : nil, entry: scan.entry)
    }

    private var frameDuration: MediaTime { reader.nominalFrameDuration }

    private var noFrames: LivePhotoError {
        LivePhotoError(
            .unusableMedia, reader.path,
            "none of its \(reader.video.codecName) video can be decoded; the file is damaged or incomplete")
    }

    private func allFrameTimes() throws -> [MediaTime] {
        let everything = MediaTime(value: .max / 2, timescale: 1)
        guard let scan = try PacketScan.scan(reader, from: nil, wanting: .zero, until: everything) else { return [] }
        return scan.lacksTimes ? try decodedFrameTimes(from: .clipStart, until: everything) : scan.frames
    }

    private func decodedFrameTimes(from entry: EntryPoint, until end: MediaTime) throws -> [MediaTime] {
        var times: [MediaTime] = []
        let decoder = try ClipDecoder(
            reader, entry: entry, hasSound: false, threads: Decoder.defaultThreads)
        try decoder.run(until: end) { _, time in
            times.append(time)
            return time <= end
        } onSound: { _ in
            false
        }
        return times.sortedWithoutDuplicates()
    }
}
