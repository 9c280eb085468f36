import Bytes
import FFmpegKit
import LivePhotoKit
import LivePhotoRequests

/// Makes small pictures of all frames of a part of a clip.
struct SmallFramesWork {
    /// A frame of the part.
    private typealias Chosen = (time: MediaTime, still: String)

    private let work: ClipWork
    private let layout: SmallFramesLayout
    private let reader: ClipReader
    private let probe: ClipProbe
    private let span: PictureSpan

    private static let usualSize = "640x640"
    /// JPEG quality.
    private static let quality = 80

    init(
        _ work: ClipWork, _ layout: SmallFramesLayout, _ clip: InputFile, _ cancellation: CancellationFlag
    ) throws {
        (self.work, self.layout) = (work, layout)
        reader = try ClipReader(clip, cancellation)
        probe = ClipProbe(reader: reader)
        span = try probe.pictureSpan()
    }

    /// - Parameter progress: called after each decoded frame.
    func run(into output: WritableFile, _ progress: (ConversionProgress) -> Void) throws -> SmallFrames {
        let part = try span.part(from: layout.start, to: layout.end ?? span.end, of: reader.path)
        let clip = try describe(part)
        let (frames, end) = Self.frames(of: clip, part, span)
        let geometry = try PictureGeometry(clip.picture, maximum: layout.maximumSize ?? MaximumSize(Self.usualSize))
        let settings = work.preset.picture
        let filters = PictureFilters(
            clip.picture, geometry, to: .preview(geometry.movie), toneMapping: settings.toneMapping,
            background: settings.background)
        let threads = work.processingThreads
        let encoders = try JPEGThreads(threads, filters, quality: Self.quality, to: OutputFile(rewriting: output))
        do {
            let substitutions = try reader.decodeFrames(
                at: frames.map(\.time), hasPacketTimes: clip.hasPacketTimes, from: clip.entry,
                // While a thread waits for a picture that its own one refers to, another one decodes.
                threads: threads + 1, isApproximate: geometry.isMuchSmaller
            ) { frame, index in
                try encoders.add(frame)
                progress(ConversionProgress(frames: index + 1, totalFrames: frames.count))
            }
            guard substitutions != nil else {
                throw LivePhotoError(.unusableMedia, reader.path, "its frames cannot be decoded; it is damaged")
            }
        } catch {
            encoders.cancel()
            throw error
        }
        let sizes = try encoders.finish()
        return SmallFrames(
            frames: zip(frames, sizes).map { SmallFrames.Frame(time: $0.time, still: $0.still, bytes: $1) },
            size: geometry.movie.size, clipDuration: span.end, end: end)
    }

    /// Describes a part, but not much more of it than has the most frames.
    private func describe(_ part: (start: MediaTime, end: MediaTime)) throws -> ClipDescription {
        let usual = MediaTime(
            seconds: reader.nominalFrameDuration.seconds * Double(SmallFrames.mostFrames + 2),
            timescale: FrameSchedule.timescale)
        var length = max(usual, Self.shortestReading)
        while true {
            let end = min(part.start + length, part.end)
            let clip = try probe.describe(from: part.start, to: end, span: span)
            if end == part.end || clip.frameTimes.count(where: { $0 > part.start }) > SmallFrames.mostFrames {
                return clip
            }
            length = length + length
        }
    }

    private static let shortestReading = MediaTime(value: 1, timescale: 1)

    /// - Returns: also where they end.
    private static func frames(
        of clip: ClipDescription, _ part: (start: MediaTime, end: MediaTime), _ span: PictureSpan
    ) -> (frames: [Chosen], end: MediaTime) {
        let times = clip.frameTimes
        let first = times.lastIndex { $0 <= part.start } ?? times.startIndex
        let after = times.firstIndex { $0 >= part.end } ?? times.endIndex
        let cut = min(max(after, first + 1), first + SmallFrames.mostFrames)
        let frames = times[first..<cut].enumerated().map { offset, time in
            let index = first + offset + 1
            let next = index < times.endIndex ? times[index] : span.end
            return (time, StillText.text(for: time, before: min(next, span.end)))
        }
        // The first frame may be later than the part.
        let next = cut < times.endIndex ? times[cut] : span.end
        let isCut = cut < after || after <= first
        return (frames, isCut ? next : part.end)
    }
}
