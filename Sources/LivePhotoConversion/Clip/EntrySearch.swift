import FFmpegKit
import LivePhotoKit
package import MediaModel

/// Finds from where on a clip has to be decoded so that the pictures wanted of it come out whole.
///
/// Flags and indexes only say where to try: from each candidate the clip is decoded until a picture proves to need no
/// other (`KeyFrameEvidence`). For an ordinary clip that is one picture.
struct EntrySearch {
    let reader: ClipReader

    struct Result {
        var scan: PacketScan
        /// The shape of the first whole picture, or of the last one looked at; nil where none came.
        var picture: PictureShape?
        /// Pictures before this time are incomplete; nil where that is not known.
        var firstWhole: MediaTime?
        /// What the user may want to know: one sentence.
        var warning: String?
    }

    /// How far before the wanted time to seek, in seconds, one try after the other.
    private static let steps: [Int64] = [0, 1, 4, 16, 64]
    /// No container's sound lies further from its picture.
    private static let longestInterleaving: Int64 = 16
    /// Decoding more than this before the movie gets a warning.
    private static let farStart = MediaTime(value: 60, timescale: 1)
    /// The longest part of the clip that is decoded before the movie for lack of a verified key frame. A length of the
    /// clip, not of the work, so that every machine makes the same pair.
    private static let decodingBudget = MediaTime(value: 1800, timescale: 1)

    private var evidence: KeyFrameEvidence { reader.video.keyFrameEvidence }

    /// - Parameters:
    ///   - wanted: the first moment whose picture is needed.
    ///   - end: the last such moment.
    func find(wanting wanted: MediaTime, until end: MediaTime) throws -> Result {
        var latest = wanted
        var hasFailed = false
        var lacksSound: Result?
        for step in reader.canSeek && evidence != .none ? Self.steps : [] {
            if step > Self.longestInterleaving, let lacksSound { return lacksSound }
            let preroll = reader.audio == nil ? .zero : PacketScan.soundPreroll
            let back = MediaTime(value: step, timescale: 1)
            if hasFailed { latest = min(latest, wanted - back) }
            let target = min(latest, wanted - preroll - back)
            guard target > .zero else { break }
            guard let scan = try PacketScan.scan(reader, from: target, wanting: latest, until: end) else { continue }
            let shown = scan.shown(at: wanted)
            let hasSound = scan.hasSound(heardFrom: wanted, streamStart: reader.clipTime(reader.audio?.startTime))
            if let known = lacksSound, known.scan.entry.keyFrame == scan.entry.keyFrame {
                if hasSound { return Result(scan: scan, picture: known.picture) }
                continue
            }
            let opening = try opening(of: scan, until: shown)
            switch opening.proof {
            case .whole(let first) where first <= shown:
                let result = Result(scan: scan, picture: opening.picture)
                if hasSound { return result }
                lacksSound = result
            case .whole(let first): latest = min(latest, wanted - (first - shown))
            case .missing: hasFailed = true
            case .unknown: return try fromStart(wanted, end)
            }
        }
        return try fromStart(wanted, end)
    }

    /// Reads the clip from its start. Decoding begins with the last key frame before `wanted` if it proves to be one,
    /// otherwise with the first packet.
    private func fromStart(_ wanted: MediaTime, _ end: MediaTime) throws -> Result {
        guard var scan = try PacketScan.scan(reader, from: nil, wanting: wanted, until: end) else {
            throw LivePhotoError(.internalFault, reader.path, "was read from its start without a result")
        }
        // Nothing comes before the first packet, so that no proof is needed; but H.264 may begin with a gradual refresh.
        if evidence != .output, scan.entry != .clipStart, scan.entersAtFirstPicture { return Result(scan: scan) }
        if evidence != .none, scan.entry != .clipStart {
            let shown = scan.shown(at: wanted)
            let opening = try opening(of: scan, until: shown)
            if case .whole(let first) = opening.proof, first <= shown {
                return Result(scan: scan, picture: opening.picture)
            }
        }
        let isFirst = scan.entersAtFirstPicture
        if wanted > Self.decodingBudget, let result = try withinBudget(wanted, end) { return result }
        scan.enterAtStart(wanting: wanted)
        let opening = try opening(of: scan, until: end)
        var result = Result(scan: scan, picture: opening.picture)
        if case .whole(let first) = opening.proof { result.firstWhole = first }
        if !isFirst, wanted > Self.farStart {
            result.warning = "\(untrusted); the clip is decoded from its start, which takes longer"
        }
        return result
    }

    private func withinBudget(_ wanted: MediaTime, _ end: MediaTime) throws -> Result? {
        let target = wanted - Self.decodingBudget
        guard let scan = try PacketScan.scan(reader, from: reader.canSeek ? target : nil, wanting: target, until: end)
        else { return nil }
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
            /// When the first whole picture is shown.
            case whole(MediaTime)
            /// None was whole.
            case missing
            /// The decoder does not report key frames.
            case unknown
        }
        var proof = Proof.missing
        var picture: PictureShape?
    }

    /// Decodes from a scan's entry point on until a picture is whole, at most until `last` is shown.
    private func opening(of scan: PacketScan, until last: MediaTime) throws -> Opening {
        var opening = Opening()
        let decoder = try ClipDecoder(reader, entry: scan.entry, hasSound: false, threads: 1)
        try decoder.run(until: last) { frame, time in
            opening.picture = PictureShape(of: frame, in: reader.picture)
            switch frame.wholeness(by: evidence) {
            case .whole: opening.proof = .whole(time)
            case .refreshed:
                if let whole = wholeAfterRefresh(scan, first: time) { opening.proof = .whole(whole) }
            case .unknown: opening.proof = .unknown
            case .doubtful: return time < last
            }
            return false
        } onSound: { _ in
            false
        }
        return opening
    }

    /// When pictures are whole in a stream with gradual refresh. The first decoded pictures lack their references, and
    /// libavcodec discards slices that it cannot decode, with the refreshed parts in them. The next refresh supplies those.
    ///
    /// - Parameter first: the first picture that the decoder gives, one refresh after the entry point.
    private func wholeAfterRefresh(_ scan: PacketScan, first: MediaTime) -> MediaTime? {
        let begin = scan.entry.keyFrame ?? scan.allFrames.first ?? first
        return scan.keyTime(after: begin).map { $0 + (first - begin) }
    }
}

/// Where reading a clip begins, so that everything wanted of it can be decoded; on the clip's clock.
package struct EntryPoint: Sendable, Hashable {
    /// Where to seek to; nil is the clip's start. A container may land a little before, or, where it finds its way by
    /// guessing, after: that this target leads to the key frame has been tried.
    package let seekTarget: MediaTime?
    /// Presentation time of the key frame from which decoding begins; nil is the first packet.
    package let keyFrame: MediaTime?

    package static let clipStart = EntryPoint(seekTarget: nil, keyFrame: nil)
}
