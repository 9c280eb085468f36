import FFmpegKit
import LivePhotoKit
package import MediaModel

/// Finds where to start decoding a clip so that all needed pictures are complete.
///
/// Flags and indexes only give candidates. The clip is decoded from each until a picture is proved to depend on no
/// other (`KeyFrameEvidence`). For an ordinary clip that is one picture.
struct EntrySearch {
    let reader: ClipReader
    /// The number of threads of the `ClipDecoder` that will continue with the picture decoded here; nil if none will.
    var threads: Int?

    struct Result {
        var scan: PacketScan
        /// The shape of the first complete picture, or of the last decoded one; nil if none was decoded.
        var picture: PictureShape?
        /// The complete picture at the entry point, with the edges of its blocks unless `threads` are given; nil if it was
        /// not decoded for this search.
        var firstFrame: Frame?
        /// Pictures before this time are incomplete; nil if unknown.
        var firstComplete: MediaTime?
        /// One sentence for the user.
        var warning: String?
    }

    /// How far before the first needed picture to seek, in seconds, in successive attempts.
    private static let steps: [Int64] = [0, 1, 4, 16, 64]
    /// No container stores sound further from its picture.
    private static let longestInterleaving: Int64 = 16
    /// Decoding more than this before the movie causes a warning.
    private static let farStart = MediaTime(value: 60, timescale: 1)
    /// The longest part of the clip that is decoded before the movie if no key frame can be verified. It limits the
    /// clip's time, not the computing time, so that every machine produces the same pair.
    private static let decodingBudget = MediaTime(value: 1800, timescale: 1)

    private var evidence: KeyFrameEvidence { reader.video.keyFrameEvidence }

    /// - Parameters:
    ///   - start: the first time at which the picture is needed.
    ///   - end: the last such time.
    func find(_ start: MediaTime, until end: MediaTime) throws -> Result {
        var latest = start
        var hasFailed = false
        var lacksSound: Result?
        for step in reader.canSeek && evidence != .none ? Self.steps : [] {
            if step > Self.longestInterleaving, let lacksSound { return lacksSound }
            let preroll = reader.audio == nil ? .zero : PacketScan.soundPreroll
            let back = MediaTime(value: step, timescale: 1)
            if hasFailed { latest = min(latest, start - back) }
            let target = min(latest, start - preroll - back)
            guard target > .zero else { break }
            guard let scan = try PacketScan.scan(reader, seekingTo: target, first: latest, until: end) else { continue }
            if scan.breaksOff(before: start), let result = try afterDamage(latest - back, start, until: end) {
                return result
            }
            let shown = scan.shown(at: start)
            let hasSound = scan.hasSound(heardFrom: start, streamStart: reader.clipTime(reader.audio?.startTime))
            if let known = lacksSound, known.scan.entry.keyFrame == scan.entry.keyFrame {
                if hasSound { return Result(scan: scan, picture: known.picture, firstFrame: known.firstFrame) }
                continue
            }
            let opening = try opening(of: scan, until: shown)
            switch opening.proof {
            case .complete(let first) where first <= shown:
                let result = Result(scan: scan, picture: opening.picture, firstFrame: opening.frame)
                if hasSound { return result }
                lacksSound = result
            case .complete(let first): latest = min(latest, start - (first - shown))
            case .missing: hasFailed = true
            case .unknown: return try fromClipStart(start, end)
            }
        }
        return try fromClipStart(start, end)
    }

    /// Seeks past a damaged part that is read only for the sound, whose first packets are then missing; nil if there are no
    /// pictures either.
    private func afterDamage(_ target: MediaTime, _ start: MediaTime, until end: MediaTime) throws -> Result? {
        guard let scan = try PacketScan.scan(reader, seekingTo: target, first: target, until: end),
            !scan.breaksOff(before: start)
        else { return nil }
        let opening = try opening(of: scan, until: scan.shown(at: start))
        guard case .complete(let first) = opening.proof, first <= start else { return nil }
        return Result(scan: scan, picture: opening.picture, firstFrame: opening.frame)
    }

    /// Reads the clip from its start. Decoding starts with the last key frame before `start` if that can be verified,
    /// otherwise with the first packet.
    private func fromClipStart(_ start: MediaTime, _ end: MediaTime) throws -> Result {
        guard var scan = try PacketScan.scan(reader, seekingTo: nil, first: start, until: end) else {
            throw LivePhotoError(.internalError, reader.path, "was read from its start without a result")
        }
        // The first packet needs no proof, except that H.264 may start with a gradual refresh.
        if evidence != .output, scan.entry != .clipStart, scan.entersAtFirstPicture { return Result(scan: scan) }
        if evidence != .none, scan.entry != .clipStart {
            let shown = scan.shown(at: start)
            let opening = try opening(of: scan, until: shown)
            if case .complete(let first) = opening.proof, first <= shown {
                return Result(scan: scan, picture: opening.picture, firstFrame: opening.frame)
            }
        }
        let isFirst = scan.entersAtFirstPicture
        if start > Self.decodingBudget, let result = try withinBudget(start, end) { return result }
        scan.enterAtStart(first: start)
        let opening = try opening(of: scan, until: end)
        var result = Result(scan: scan, picture: opening.picture)
        if case .complete(let first) = opening.proof { result.firstComplete = first }
        if !isFirst, start > Self.farStart {
            result.warning = "\(untrusted); the clip is decoded from its start, which takes longer"
        }
        return result
    }

    private func withinBudget(_ start: MediaTime, _ end: MediaTime) throws -> Result? {
        let target = start - Self.decodingBudget
        let seekTarget = reader.canSeek ? target : nil
        guard let scan = try PacketScan.scan(reader, seekingTo: seekTarget, first: target, until: end) else {
            return nil
        }
        return Result(
            scan: scan, picture: try opening(of: scan, until: target).picture,
            warning:
                "\(untrusted); the clip is decoded from \(Self.decodingBudget) before the movie, so pictures may be"
                + " incomplete")
    }

    private var untrusted: String {
        "no key frame of the clip's \(reader.video.codecName) video can be verified"
    }

    private struct Opening {
        enum Proof {
            /// The presentation time of the first complete picture.
            case complete(MediaTime)
            /// No picture was complete.
            case missing
            /// The decoder does not report key frames.
            case unknown
        }
        var proof = Proof.missing
        var picture: PictureShape?
        /// The picture at the entry point, if it is complete.
        var frame: Frame?
    }

    /// Decodes from a scan's entry point until a picture is complete, at most until `last` is shown.
    private func opening(of scan: PacketScan, until last: MediaTime) throws -> Opening {
        var opening = Opening()
        if let keyFrame = scan.entry.keyFrame, let shape = reader.completeKeyFrames[keyFrame] {
            (opening.proof, opening.picture) = (.complete(keyFrame), shape)
            return opening
        }
        // The first picture that the decoder outputs proves nothing if it does not output those before.
        let decoder = try ClipDecoder(
            reader, entry: scan.entry, hasSound: threads != nil, threads: threads ?? 1, isApproximate: threads == nil,
            showsHidden: evidence == .output && scan.entersAtHiddenPicture)
        decoding: while let (frame, time) = try decoder.nextFrame(until: last) {
            opening.picture = PictureShape(of: frame, in: reader.picture)
            switch frame.completeness(by: evidence) {
            case .complete:
                opening.proof = .complete(time)
                if time == scan.entry.keyFrame {
                    if !scan.entersAtHiddenPicture { opening.frame = frame }
                    reader.completeKeyFrames[time] = opening.picture
                }
            case .refreshed:
                if let complete = completeAfterRefresh(scan, first: time) { opening.proof = .complete(complete) }
            case .unknown: opening.proof = .unknown
            case .uncertain: if time < last { continue decoding }
            }
            break
        }
        // Without their true times, what libavcodec takes for the times of frames depends on which were decoded before.
        if scan.isReordered || reader.video.reorderedPictures == 0 { decoder.leaveBeginning() }
        return opening
    }

    /// The time of the first complete picture in a stream with gradual refresh. The references of the first decoded
    /// pictures are missing, and libavcodec discards slices that it cannot decode, including refreshed parts. The next
    /// refresh restores those.
    ///
    /// - Parameter first: the time of the decoder's first picture, one refresh after the entry point.
    private func completeAfterRefresh(_ scan: PacketScan, first: MediaTime) -> MediaTime? {
        let begin = scan.entry.keyFrame ?? scan.allFrames.first ?? first
        return scan.keyTime(after: begin).map { $0 + (first - begin) }
    }
}

/// Where to start reading a clip, on the clip's clock.
package struct EntryPoint: Sendable, Hashable {
    /// The time to seek to; nil is the clip's start. Seeking is inexact in some containers, but this target was tried
    /// and leads to the key frame.
    package let seekTarget: MediaTime?
    /// Presentation time of the key frame at which decoding starts; nil is the first packet.
    package let keyFrame: MediaTime?

    package static let clipStart = EntryPoint(seekTarget: nil, keyFrame: nil)
}
