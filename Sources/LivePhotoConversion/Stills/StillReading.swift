import FFmpegKit
import LivePhotoKit
import LivePhotoRequests

/// Measures the frames of a clip that could be its key photo, at a small size.
///
/// Frames that no other frame refers to are not decoded. In a short part of a clip, the others are measured. In a longer one, or
/// one with many frames, key frames are compared first, and then the frames after the best of them.
struct StillReading {
    let reader: ClipReader
    let span: PictureSpan
    /// The part in which the still can be; shorter than requested if the picture of a truncated clip ends earlier.
    private(set) var place: StillPlace
    let settings: Preset
    let threads: Int
    /// Whether every frame is measured.
    let measuresAll: Bool
    /// Called with each measured frame of a part that is measured completely; it may have the edges of its blocks. The frames
    /// before and after those that can be the still are then measured too, because decoding them later would take longer.
    var onMeasured: ((Frame, MediaTime) throws -> Void)?
    /// Measures of those frames, in the order of their times.
    private(set) var margins: [StillScoring.Sample] = []
    /// While a thread waits for a picture that its own one refers to, another one decodes.
    private var decoderThreads: Int { threads + 1 }

    /// The long edge of the measured pictures: a blur of two pixels in 1080p can be measured.
    static let edge = 640
    /// The longest part that is measured completely.
    private static let longestWhole = MediaTime(value: 20, timescale: 1)
    /// The most frames that are decoded for it, unless key frames are rare.
    private static let mostDecoded = 200.0
    /// The time between measured frames: as in the movie, or in a part of more than six seconds up to twice as long.
    private static let (spacing, longestSpacing) = (
        MediaTime(value: 1, timescale: 20), MediaTime(value: 1, timescale: 10)
    )
    private static let usualFrames = 120.0
    /// The most frames that are measured in a clip that can only be read from its start, or that has no key frame in the part.
    private static let mostFrames = 400.0
    /// The most places whose key frames are compared, and how many of these places are then measured completely.
    private static let (places, bestPlaces) = (40, 4)
    /// The length of such a place, which begins with its key frame, and its length in a short clip.
    private static let placeLength = MediaTime(value: 2, timescale: 1)
    private static let shortPlace = MediaTime(value: 3, timescale: 4)

    /// - Returns: in the order of their times.
    /// - Throws: `LivePhotoError`, also for a clip without a frame that can be decoded.
    mutating func samples() throws -> [StillScoring.Sample] {
        let length = place.end - place.start
        let isLong = length > Self.longestWhole
        guard !measuresAll, isLong || decodedFrames(in: length) > Self.mostDecoded else {
            return try whole(spacing: usual(length))
        }
        guard reader.canSeek, reader.video.keyFrameEvidence != .none else { return try whole(spacing: sparse(length)) }
        let count = min(Int(length.seconds), Self.places)
        let keyFrames = try keyFrames(count)
        guard !keyFrames.isEmpty, isLong || keyFrames.count > count / 2 else {
            return try whole(spacing: isLong ? sparse(length) : usual(length))
        }
        let placeLength = isLong ? Self.placeLength : Self.shortPlace
        var samples: [StillScoring.Sample] = []
        let scoring = StillScoring(keyFrames, in: place, prefersCalm: settings.video.writesLivePhotoInfo)
        for candidate in scoring.best(Self.bestPlaces, spacing: placeLength) {
            let part = (start: candidate.time, end: min(candidate.time + placeLength, place.end))
            samples += try measure(part, within: part, spacing: Self.spacing).samples
        }
        return samples.sorted { $0.time < $1.time }
    }

    /// An estimate: half of the frames of a clip with B-frames are not referred to.
    private func decodedFrames(in length: MediaTime) -> Double {
        let frames = length.seconds / reader.nominalFrameDuration.seconds
        return reader.video.reorderedPictures > 0 ? frames / 2 : frames
    }

    private func usual(_ length: MediaTime) -> MediaTime {
        let time = MediaTime(seconds: length.seconds / Self.usualFrames, timescale: FrameSchedule.timescale)
        return min(max(time, Self.spacing), Self.longestSpacing)
    }

    private func sparse(_ length: MediaTime) -> MediaTime {
        max(Self.spacing, MediaTime(seconds: length.seconds / Self.mostFrames, timescale: FrameSchedule.timescale))
    }

    private mutating func whole(spacing: MediaTime) throws -> [StillScoring.Sample] {
        let searched = place.searched
        let whole = onMeasured == nil ? searched : (start: place.start, end: place.end)
        let (samples, margins, endOfPicture) = try measure(searched, within: whole, spacing: spacing, onMeasured)
        self.margins = margins
        // No frame was skipped for so long.
        let margin = Self.longestSpacing + Self.longestSpacing + reader.nominalFrameDuration + spacing
        if let damage = reader.damage, let last = samples.last?.time, last + margin < searched.end {
            place = place.ending(at: min(max(damage.time, last) + reader.nominalFrameDuration, place.end))
        } else if let endOfPicture, endOfPicture + margin < searched.end {
            place = place.ending(at: endOfPicture)
        }
        return samples
    }

    /// Measures key frames spread over the place.
    private func keyFrames(_ count: Int) throws -> [StillScoring.Sample] {
        var samples: [StillScoring.Sample] = []
        var previous: EntryPoint?
        for target in place.start.spread(to: place.end, count: count) {
            try reader.cancellation.check()
            let found = try EntrySearch(reader: reader).find(target, until: target)
            let entry = found.scan.entry
            guard entry.keyFrame == nil || entry.keyFrame != previous?.keyFrame else { continue }
            previous = entry
            let meter = try FrameMeter(reader, settings, edge: Self.edge)
            func measure(_ frame: Frame, _ time: MediaTime) throws {
                guard place.start <= time, time < place.end else { return }
                samples.append(try meter.sample(frame, at: time))
            }
            if let frame = found.firstFrame, let time = entry.keyFrame {
                try measure(frame, time)
                continue
            }
            let decoder = try ClipDecoder(reader, entry: entry, threads: 1, neededFrames: [], isApproximate: true)
            try decoder.run(until: target) { frame, time in
                try measure(frame, time)
                return false
            }
        }
        return samples
    }

    /// Measures the frames of a part and, apart from them, those before and after it, and finds where the last one ends if
    /// there is no other.
    ///
    /// - Parameters:
    ///   - whole: the part with the frames before and after it.
    ///   - body: called with each measured frame.
    private func measure(
        _ part: (start: MediaTime, end: MediaTime), within whole: (start: MediaTime, end: MediaTime),
        spacing: MediaTime, _ body: ((Frame, MediaTime) throws -> Void)? = nil
    ) throws -> (samples: [StillScoring.Sample], margins: [StillScoring.Sample], endOfPicture: MediaTime?) {
        let clip = try ClipProbe(reader: reader).describe(from: whole.start, to: whole.end, span: span)
        let shown = [whole.start, part.start].compactMap { start in
            clip.frameTimes.last { $0 <= start } ?? clip.frameTimes.first
        }
        guard let wholeStart = shown.first, let partStart = shown.last else { return ([], [], nil) }
        let isInterlaced = clip.picture.isInterlaced
        let decoder = try ClipDecoder(
            reader, entry: clip.entry, threads: decoderThreads,
            neededFrames: isInterlaced || measuresAll ? nil : Set(shown),
            isApproximate: true, isInterlaced: isInterlaced)
        var meter = try FrameMeter(reader, settings, edge: Self.edge)
        var samples: [StillScoring.Sample] = []
        var margins: [StillScoring.Sample] = []
        var last: MediaTime?
        try decoder.run(until: whole.end) { frame, time in
            let isInPart = time >= partStart && (samples.isEmpty || time < part.end)
            guard isInPart || time >= wholeStart && time < whole.end else { return time < whole.end }
            let isFirst = isInPart && samples.isEmpty
            guard measuresAll || isFirst || last.map({ time - $0 >= spacing }) != false else {
                return time < whole.end
            }
            last = time
            // The part is measured as if no frame came before it, so that the still does not depend on `whole`.
            if isFirst { meter = try FrameMeter(reader, settings, edge: Self.edge) }
            let sample = try meter.sample(frame, at: time)
            if isInPart { samples.append(sample) } else { margins.append(sample) }
            try body?(frame, time)
            return time < whole.end
        }
        return (samples, margins, clip.shownUntil)
    }
}

extension MediaTime {
    /// Times in the middle of equal parts of the time from this one to another.
    func spread(to end: MediaTime, count: Int) -> [MediaTime] {
        (0..<count).compactMap { index in
            ClipPart(millionths: (2 * index + 1) * 500_000 / max(count, 1)).map { self + $0.of(end - self) }
        }
    }
}

/// Measures frames one after another.
final class FrameMeter {
    private let reader: ClipReader
    private let converter: PictureConverter
    private let size: PixelSize
    private var previous: [UInt8]?

    /// - Parameter edge: the long edge of the measured pictures.
    init(_ reader: ClipReader, _ settings: Preset, edge: Int) throws {
        self.reader = reader
        let picture = reader.picture.turned(by: settings.adjustments)
        let maximum = try MaximumSize("\(edge)x\(edge)")
        // Bars would count as black, and a crop may be in pixels of another picture.
        var framing = settings.picture.framing
        if case .fit = framing.shape { framing.shape = nil }
        let geometry =
            try (try? PictureGeometry(picture, maximum: maximum, framing: framing))
            ?? PictureGeometry(picture, maximum: maximum)
        size = geometry.movie.size
        let filters = PictureFilters(
            picture, geometry, to: .measurement(geometry), background: settings.picture.background)
        converter = PictureConverter(filters, threads: 1)
    }

    func sample(_ frame: Frame, at time: MediaTime) throws -> StillScoring.Sample {
        let luma = try converter.convert(frame).lumaPlane()
        defer { previous = luma }
        return StillScoring.Sample(
            time: time, measures: FrameMeasures(luma, size: size, previous: previous), startsRun: previous == nil,
            recordedBlur: reader.recordedBlur?.length(at: time))
    }
}
