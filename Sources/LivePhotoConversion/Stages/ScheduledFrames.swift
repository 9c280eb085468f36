import FFmpegKit
import LivePhotoKit
import MediaModel

/// Decodes the frames of a schedule, as the clip shows them.
struct ScheduledFrames {
    let plan: DecodingPlan
    /// For warnings.
    let movieSize: PixelSize
    let reader: ClipReader

    /// Decodes frames in one pass from the movie's start.
    ///
    /// - Parameters:
    ///   - range: their indices in the schedule, with that of the still; nil for all.
    ///   - feed: where another thread puts the frames; nil decodes them here.
    ///   - onSound: called with each packet of the audio stream up to the movie's end; returns whether it needs more.
    ///   - body: called with each frame and its index.
    /// - Returns: warnings: each one sentence.
    /// - Throws: `StillShapeError` if another plan is needed; `FrameFeed.EndedEarly`; `LivePhotoError`; `LibavError`; errors of
    ///   `body`.
    func decode(
        _ range: Range<Int>? = nil, from feed: FrameFeed? = nil, onSound: ((Packet) throws -> Bool)? = nil,
        _ body: (_ frame: Frame, _ index: Int) throws -> Void
    ) throws -> [String] {
        let entries = plan.schedule.entries
        var last: PictureShape?
        var change: String?
        func check(_ frame: Frame, _ index: Int) throws {
            let shape = try checkedShape(of: frame, index)
            if let last, last != shape, change == nil {
                let bars = last.displaySize.hasShape(of: shape.displaySize) ? "" : ", with black bars beside the others"
                change =
                    "the clip's pictures change from \(last) to \(shape) at \(entries[index].source); the whole movie is"
                    + " \(movieSize), made for the picture at the still time\(bars)"
            }
            last = shape
            try body(frame, index)
        }
        let (range, end) = (range ?? entries.indices, plan.schedule.end)
        var substitutions = 0
        if let feed {
            // The same packets as if the pictures were decoded here.
            if let onSound {
                try ClipDecoder(reader, entry: plan.clip.entry, hasSound: true, threads: plan.decodingThreads)
                    .readSound(until: end, onSound)
            }
            try feed.read(range, check)
        } else {
            substitutions = try read(range, from: plan.clip.entry, until: end, onSound: onSound, check)
        }
        return [
            plan.clip.damage == nil ? reader.damage?.warning : nil,
            substitutions == 0
                ? nil : "\(counted(substitutions, "frame")) did not decode; the nearest frame is used instead",
            change,
        ].compactMap(\.self)
    }

    /// Decodes only the frame at the still time.
    ///
    /// - Throws: as `decode`.
    func decodeStill() throws -> Frame? {
        let index = plan.schedule.stillIndex
        var still: Frame?
        try decodeAlone(index..<index + 1) { frame, _ in
            _ = try checkedShape(of: frame, index)
            still = frame
        }
        return still
    }

    private func checkedShape(of frame: Frame, _ index: Int) throws -> PictureShape {
        let shape = PictureShape(of: frame, in: plan.picture)
        let isStill = index == plan.schedule.stillIndex
        if isStill, !plan.clip.hasShapeOfStill, shape != PictureShape(of: plan.picture) {
            throw StillShapeError(shape: shape)
        }
        return shape
    }

    /// Decodes some frames, from the key frame before them.
    ///
    /// - Parameter range: their indices in the schedule.
    func decodeAlone(_ range: Range<Int>, _ body: (_ frame: Frame, _ index: Int) throws -> Void) throws {
        let start = plan.schedule.entries[range.lowerBound].source
        _ = try read(range, from: EntrySearch(reader: reader).find(start, until: start).scan.entry, body)
    }

    /// - Returns: how many frames are replaced, because they did not decode.
    private func read(
        _ range: Range<Int>, from entry: EntryPoint, until end: MediaTime? = nil,
        onSound: ((Packet) throws -> Bool)? = nil, _ body: (_ frame: Frame, _ index: Int) throws -> Void
    ) throws -> Int {
        let substitutions = try reader.decodeFrames(
            at: plan.schedule.entries[range].map(\.source), hasPacketTimes: plan.clip.hasPacketTimes, from: entry,
            until: end, threads: plan.decodingThreads, onSound: onSound
        ) { try body($0, range.lowerBound + $1) }
        guard let substitutions else {
            let time = plan.schedule.entries[plan.schedule.stillIndex].source
            throw LivePhotoError(
                .unusableMedia, plan.clip.path, "none of its video around \(time) can be decoded; it is damaged")
        }
        return substitutions
    }
}

/// The key photo's picture has another shape than the first decoded one, so that another plan is needed.
struct StillShapeError: Error {
    let shape: PictureShape
}
