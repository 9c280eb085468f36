import FFmpegKit
import LivePhotoKit
import MediaModel

/// The pictures of a plan's movie in the order in which it shows them: reads and decodes the clip, selects the frames of the
/// schedule and converts them. They can be read several times, which keeps memory bounded.
final class MovieFrames {
    private let plan: ConversionPlan
    private let frames: ScheduledFrames
    private let filters: PictureFilters
    private let steadying: [PictureCorrection?]?
    /// The clip's decoded frame at the still time, of the last reading.
    private(set) var still: Frame?
    /// Warnings of the last reading: each one sentence.
    private(set) var warnings: [String] = []

    /// The most bytes of pictures that are kept to play them backward.
    private static let backwardMemory = 96 << 20

    /// - Parameters:
    ///   - filters: applied to all frames.
    ///   - isLongExposure: whether the frames are steadied for a long exposure instead of the movie.
    init(_ plan: ConversionPlan, _ reader: ClipReader, filters: PictureFilters, isLongExposure: Bool = false) {
        (self.plan, self.filters) = (plan, filters)
        steadying = isLongExposure ? plan.survey.exposureSteadying : plan.survey.steadying
        frames = ScheduledFrames(plan: plan.decoding, movieSize: plan.movieSize, reader: reader)
    }

    /// Calls `body` with each frame of the movie and its index in `plan.frames`.
    ///
    /// - Parameters:
    ///   - feed: where another thread puts the frames; nil decodes them here.
    ///   - onSound: called with each packet of the audio stream; returns whether it needs more.
    /// - Throws: `StillShapeError` if another plan is needed; `FrameFeed.EndedEarly`; `LivePhotoError`; `LibavError`; errors of
    ///   `body`.
    func forEach(
        from feed: FrameFeed? = nil, onSound: ((Packet) throws -> Bool)? = nil,
        _ body: (_ frame: Frame, _ index: Int) throws -> Void
    ) throws {
        let items = plan.frames.items
        let fading = Set(items.compactMap(\.fade?.index))
        let shown = fading.union(items.map(\.index))
        var held: [Int: Frame] = [:]
        var next = 0
        try forEachScheduled(where: shown.contains, from: feed, onSound: onSound) { picture, index in
            if fading.contains(index) { held[index] = picture }
            guard next < plan.frames.turn, items[next].index == index else { return }
            let item = items[next]
            let fade = item.fade.flatMap { fade in held[fade.index].map { ($0, fade.opacity) } }
            let shown = try fade.map { try picture.covered(by: $0, opacity: $1) } ?? picture
            while next < plan.frames.turn, items[next].index == index {
                try body(shown, next)
                next += 1
            }
            if let fade = item.fade { held[fade.index] = nil }
        }
        try playBackward(from: next, body)
    }

    /// Calls `body` with frames of the schedule, each once, and their indices.
    ///
    /// - Parameter isNeeded: whether `body` needs the frame with an index.
    /// - Throws: as `forEach`.
    func forEachScheduled(
        where isNeeded: (Int) -> Bool, from feed: FrameFeed? = nil, onSound: ((Packet) throws -> Bool)? = nil,
        _ body: (_ frame: Frame, _ index: Int) throws -> Void
    ) throws {
        let converter = makeConverter()
        let stillIndex = plan.schedule.stillIndex
        let needed = plan.schedule.entries.indices.filter { isNeeded($0) || $0 == stillIndex }
        still = nil
        let range = needed[0]..<needed[needed.count - 1] + 1
        warnings = try frames.decode(range, from: feed, onSound: onSound) { frame, index in
            if index == stillIndex { still = frame }
            if isNeeded(index) { try body(try converter.convert(frame, steadiedBy: correction(index)), index) }
        }
        if converter.hasMetTransparency {
            warnings.append(plan.pictures.background.warning(about: "clip", canChange: !plan.work.isEdit))
        }
    }

    private func correction(_ index: Int) -> PictureCorrection? { steadying.flatMap { $0[index] } }

    private func makeConverter() -> PictureConverter {
        PictureConverter(filters, threads: plan.processingThreads, isSteadied: steadying != nil)
    }

    /// Decodes some frames of the schedule at a time, from its end to its start, and shows them in reverse.
    private func playBackward(from first: Int, _ body: (_ frame: Frame, _ index: Int) throws -> Void) throws {
        let items = plan.frames.items
        let converter = makeConverter()
        let size = filters.target.canvas.size
        let capacity = max(Self.backwardMemory / max(size.width * size.height * 3 / 2, 1), 1)
        var next = first
        while next < items.count {
            let block = next..<min(next + capacity, items.count)
            var pictures: [Int: Frame] = [:]
            let range = items[block.upperBound - 1].index..<items[next].index + 1
            try frames.decodeAlone(range) { pictures[$1] = try converter.convert($0, steadiedBy: correction($1)) }
            for index in block {
                try frames.reader.cancellation.check()
                if let picture = pictures[items[index].index] { try body(picture, index) }
                // Frames that are shown again are the next ones.
                if index + 1 < block.upperBound, items[index + 1].index != items[index].index {
                    pictures[items[index].index] = nil
                }
            }
            next = block.upperBound
        }
    }
}

extension Frame {
    /// This picture with another one of the same size and format over it.
    ///
    /// - Parameter opacity: how much of the other picture is seen, from 0 to 1.
    fileprivate func covered(by other: Frame, opacity: Double) throws -> Frame {
        let graph = try FilterGraph(
            "[side][in]blend=all_mode=normal:all_opacity=\(opacity)[out]", like: shown(at: .zero),
            side: other.shown(at: .zero), threads: 1)
        try graph.send(shown(at: .zero))
        guard let picture = try graph.receive() else {
            throw LivePhotoError(.internalError, nil, "the filters returned no picture")
        }
        return picture
    }
}
