import FFmpegKit
import LivePhotoRequests
import MediaModel

/// Finds the part of a movie whose end joins its start best.
final class LoopSearch {
    private let schedule: FrameSchedule
    private let converter: PictureConverter
    /// Of how many frames one is compared.
    private let step: Int
    private var pictures: [Frame] = []

    /// Long edge of the compared pictures, in pixels.
    private static let edge = 64
    /// The most frames that are compared with each other: of longer movies, every second, third … frame.
    private static let frameLimit = 600
    /// The length of the crossfade.
    private static let fade = MediaTime(value: 3, timescale: 10)
    /// The shortest loop, if the movie is longer.
    private static let shortest = MediaTime(value: 1, timescale: 1)

    init(_ decoding: DecodingPlan) throws {
        schedule = decoding.schedule
        step = schedule.entries.count.dividedUp(by: Self.frameLimit)
        let small = try PictureGeometry(decoding.picture, maximum: MaximumSize("\(Self.edge)x\(Self.edge)"))
        converter = PictureConverter(
            PictureFilters(decoding.picture, small, to: .movie(small)), threads: decoding.processingThreads)
    }

    /// Adds a frame of the movie, as the clip shows it.
    func add(_ frame: Frame, _ index: Int) throws {
        if index.isMultiple(of: step) { pictures.append(try converter.convert(frame)) }
    }

    /// - Parameter steadying: how the movie's frames are steadied; nil leaves them as they are.
    func part(steadiedBy steadying: [PictureCorrection]?) throws -> LoopPart {
        let count = schedule.entries.count
        let frameTicks = Double(schedule.durationTicks) / Double(max(count, 1))
        func frames(_ duration: MediaTime) -> Int {
            Int((duration.seconds * Double(FrameSchedule.timescale) / max(frameTicks, 1)).rounded(.up))
        }
        let compared = try pictures.enumerated().map { index, picture in
            try (steadying.map { try picture.steadied(by: $0[index * step]) } ?? picture).lumaPlane()
        }
        let fade = max(min(frames(Self.fade), LoopPart.longestFade, count / 4), 0)
        let joint = LoopJoint(
            compared, shortest: max(frames(Self.shortest), count / 3) / step, overlap: max(fade / step, 1),
            containing: schedule.stillIndex / step)
        guard let joint else { return LoopPart(frames: count) }
        return LoopPart(joint.start * step..<min(joint.end * step, count), fadeLength: fade)
    }
}

/// The two places in a series of pictures that look most alike, so that the part between them can be repeated.
package struct LoopJoint: Sendable, Hashable {
    /// The first picture of the part.
    package let start: Int
    /// The picture after the last one of the part.
    package let end: Int

    /// Nil if the series is too short.
    ///
    /// - Parameters:
    ///   - pictures: luma, of the same size.
    ///   - shortest: the fewest pictures of a part.
    ///   - overlap: how many pictures before the end must look like those before the start; at least 1.
    ///   - still: a picture that the part contains before the overlap, if that is possible.
    package init?(_ pictures: [[UInt8]], shortest: Int, overlap: Int, containing still: Int) {
        let count = pictures.count
        guard overlap > 0, count > overlap, let size = pictures.first?.count, size > 0 else { return nil }
        let steps = (1..<count).map { pictures[$0].meanDifference(from: pictures[$0 - 1]) }
        let typical = steps.reduce(0, +) / Double(steps.count)
        var best: (joint: Self, rank: Int, cost: Double)?
        // From the longest part on, so that of equal ones the longest is taken.
        for length in stride(from: count - overlap, through: max(shortest, overlap, 2), by: -1) {
            var differences: [Double] = []
            for end in length..<count { differences.append(pictures[end].meanDifference(from: pictures[end - length])) }
            var sum = differences.prefix(overlap - 1).reduce(0, +)
            for last in differences.indices.dropFirst(overlap - 1) {
                sum += differences[last]
                defer { sum -= differences[last - overlap + 1] }
                let joint = Self(start: last + 1, end: last + 1 + length)
                // A part of half the length must join better by half the usual change between pictures.
                let cost = sum / Double(overlap) + typical * (1 - Double(length) / Double(count))
                let rank = joint.rank(still, overlap)
                if let best, (best.rank, best.cost) <= (rank, cost) { continue }
                best = (joint, rank, cost)
            }
        }
        guard let best else { return nil }
        self = best.joint
    }

    package init(start: Int, end: Int) {
        (self.start, self.end) = (start, end)
    }

    /// 0 for a part that contains the still before its crossfade, 1 for one that contains it, 2 for others.
    private func rank(_ still: Int, _ overlap: Int) -> Int {
        guard start..<end ~= still else { return 2 }
        return still < end - overlap ? 0 : 1
    }
}
