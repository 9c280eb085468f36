import Bytes
import FFmpegKit
import LivePhotoKit
import MediaModel
import VidStabKit

/// Measures how much the pictures of a movie move, from some of them.
final class SteadinessMeter {
    private let samples: SampledChanges
    private let sampled: Set<Int>
    private let travelled: Range<Int>
    private var travel: CameraTravel?

    /// - Parameters:
    ///   - times: those of all frames.
    ///   - still: the still time.
    init(_ times: [MediaTime], still: MediaTime) {
        sampled = SampledChanges.indices(of: times.count)
        samples = SampledChanges()
        let last = times.lastIndex { $0 <= still } ?? 0
        let first = times.firstIndex { $0 >= still - CameraTravel.time } ?? 0
        travelled = min(first, last)..<last + 1
    }

    /// Takes the next frame.
    func add(_ frame: Frame, _ index: Int) throws {
        if sampled.contains(index) { try samples.add(frame) }
        if travelled.contains(index) {
            let travel = try travel ?? CameraTravel(like: frame)
            try travel.add(frame)
            self.travel = travel
        }
    }

    /// Nil if there were fewer than two frames.
    var steadiness: PictureSteadiness? {
        guard let changes = samples.means else { return nil }
        return PictureSteadiness(
            cameraTravel: travel?.farthest ?? 0, wholeChange: changes.whole, partialChange: changes.partial,
            edgeShare: changes.edge)
    }
}

extension SteadinessMeter {
    /// Decodes a movie and measures it. Blocks until done.
    ///
    /// - Throws: `LivePhotoError` if it cannot be decoded.
    static func measure(
        _ movie: InputFile, stillTime: MediaTime, _ cancellation: CancellationFlag
    ) throws -> PictureSteadiness {
        let reader = try ClipReader(movie, cancellation)
        let probe = ClipProbe(reader: reader)
        let span = try probe.pictureSpan()
        let times = try probe.describe(from: .zero, to: span.end, span: span).frameTimes
        let meter = SteadinessMeter(times, still: reader.clipTime(ofMovie: stillTime))
        let indices = Dictionary(times.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        try ClipDecoder(reader, entry: .clipStart, threads: Decoder.defaultThreads).run(until: .distantFuture) {
            frame, time in
            if let index = indices[time] { try meter.add(frame, index) }
            return true
        }
        guard let steadiness = meter.steadiness else {
            throw LivePhotoError(.unusableMedia, movie.path, "has not two frames that can be decoded")
        }
        return steadiness
    }
}

/// Differences between pictures that are spread over the movie, much smaller than they are.
private final class SampledChanges {
    private var chain: (chain: PictureConverter.Chain, size: PixelSize)?
    private var previous: [UInt8] = []
    private var changes: [(whole: Double, partial: Double, edge: Double)] = []

    private static let count = 16
    private static let (longEdge, shortEdge) = (160, 96)
    /// A smaller difference is noise.
    private static let noise: UInt8 = 8
    /// The outer part of the picture, as a part of its width and height.
    private static let edgeShare = 0.15

    /// Which of so many frames are sampled.
    static func indices(of frames: Int) -> Set<Int> {
        let count = min(count, frames)
        return Set((0..<count).map { count < 2 ? $0 : Int((Double($0 * (frames - 1)) / Double(count - 1)).rounded()) })
    }

    func add(_ frame: Frame) throws {
        let size =
            frame.size.width > frame.size.height
            ? PixelSize(width: Self.longEdge, height: Self.shortEdge)
            : PixelSize(width: Self.shortEdge, height: Self.longEdge)
        if chain?.size != size {
            chain = (PictureConverter.Chain("scale=\(size.width):\(size.height),format=gray"), size)
            previous = []
        }
        guard let chain else { return }
        let luma = try chain.chain.convert(frame).lumaPlane()
        if previous.count == luma.count { changes.append(Self.change(from: previous, to: luma, size)) }
        previous = luma
    }

    private static func change(
        from first: [UInt8], to second: [UInt8], _ size: PixelSize
    ) -> (whole: Double, partial: Double, edge: Double) {
        let differences = zip(first, second).map { $0 > $1 ? $0 - $1 : $1 - $0 }
        let sorted = differences.sorted()
        func percentile(_ percent: Int) -> Double {
            Double(sorted[(percent * (sorted.count - 1) + 50) / 100])
        }
        let margin = PixelSize(
            width: max(Int((Double(size.width) * edgeShare).rounded()), 1),
            height: max(Int((Double(size.height) * edgeShare).rounded()), 1))
        var (changed, changedAtEdge, atEdge) = (0, 0, 0)
        for (index, difference) in differences.enumerated() {
            let (y, x) = index.quotientAndRemainder(dividingBy: size.width)
            let isAtEdge =
                x < margin.width || x >= size.width - margin.width || y < margin.height
                || y >= size.height - margin.height
            if isAtEdge { atEdge += 1 }
            guard difference > noise else { continue }
            changed += 1
            if isAtEdge { changedAtEdge += 1 }
        }
        let share =
            changed == 0
            ? 0 : Double(changedAtEdge) / Double(changed) / (Double(max(atEdge, 1)) / Double(differences.count))
        return (percentile(50), max(percentile(95) - percentile(50), 0), share)
    }

    var means: (whole: Double, partial: Double, edge: Double)? {
        guard !changes.isEmpty else { return nil }
        func mean(_ value: ((whole: Double, partial: Double, edge: Double)) -> Double) -> Double {
            changes.reduce(0) { $0 + value($1) } / Double(changes.count)
        }
        return (mean(\.whole), mean(\.partial), mean(\.edge))
    }
}

/// The way of the camera before the still.
private final class CameraTravel {
    private let pictures: MotionPictures
    private let detector: MotionDetector
    private var position = (x: 0.0, y: 0.0)
    private var positions: [(x: Double, y: Double)] = []

    static let time = MediaTime(value: 1, timescale: 1)

    init(like frame: Frame) throws {
        pictures = MotionPictures(PixelRectangle(x: 0, y: 0, size: frame.size))
        detector = try MotionDetector(size: pictures.size, threads: 1)
    }

    func add(_ frame: Frame) throws {
        let motion = try detector.motion(to: pictures.luma(of: frame))
        position = (position.x + motion.x, position.y + motion.y)
        positions.append(position)
    }

    /// As a part of the long edge.
    var farthest: Double {
        let distances = positions.map { place in
            let (x, y) = (place.x - position.x, place.y - position.y)
            return (x * x + y * y).squareRoot()
        }
        return (distances.max() ?? 0) / Double(pictures.size.longEdge)
    }
}
