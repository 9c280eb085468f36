import Bytes
import FFmpegKit
import LivePhotoKit
import LivePhotoRequests

/// Makes a sheet of a clip's frames.
struct SheetWork {
    private let work: ClipWork
    private let layout: FrameSheetLayout
    private let reader: ClipReader
    private let probe: ClipProbe
    private let span: PictureSpan
    private let threads: Int

    static let usualSize = "320x320"
    /// JPEG quality of a sheet, and of a picture on a page.
    private static let quality = 93
    /// Frames of longer clips are not counted, because that means reading all packets.
    private static let longestCounted = MediaTime(value: 60, timescale: 1)

    init(
        _ work: ClipWork, _ layout: FrameSheetLayout, _ clip: InputFile, _ cancellation: CancellationFlag
    ) throws {
        (self.work, self.layout) = (work, layout)
        reader = try ClipReader(clip, cancellation)
        probe = ClipProbe(reader: reader)
        span = try probe.pictureSpan()
        threads = work.processingThreads
    }

    /// - Parameters:
    ///   - output: nil for no pictures.
    ///   - progress: called after each picture.
    func run(into output: WritableFile?, _ progress: (ConversionProgress) -> Void) throws -> FrameSheet {
        let settings = work.preset
        var part = try part()
        let requested = try place(in: part)
        let measuredPictures = try MeasuredPictures(reader, layout, settings)
        var reading = StillReading(
            reader: reader, span: span, place: requested, settings: settings, threads: threads, measuresAll: isAround)
        reading.onMeasured = measuredPictures.add
        let samples = try reading.samples()
        let known = (samples + reading.margins).sorted { $0.time < $1.time }
        let place = reading.place
        part.end = min(part.end, place.end)
        let prefersCalm = settings.video.writesLivePhotoInfo
        let scoring = StillScoring(samples, in: place, prefersCalm: prefersCalm)
        let suggestions =
            if case .best(let count) = layout.selection {
                // A frame that begins before the place is no still of its own.
                scoring.suggestions(count, from: place.start)
            } else {
                [] as [StillCandidate]
            }
        guard let best = suggestions.first ?? scoring.best else {
            throw LivePhotoError(.unusableMedia, reader.path, "has no frame that can be decoded")
        }
        let window = try window(around: max(best.time, place.start))
        let chosen = try SheetFrames(
            layout.selection, of: probe, span: span, part: part, best: best.time, suggestions: suggestions.map(\.time),
            measured: known.map(\.time))
        let geometry = try PictureGeometry(
            chosen.picture, maximum: layout.pictureSize ?? MaximumSize(Self.usualSize))
        let drawing = SheetDrawing(chosen.frames.count, cell: geometry.movie.size, columns: layout.columns)
        if layout.format == .jpeg || layout.format == .png, drawing.isTooLarge {
            throw LivePhotoError(
                .invalidRequest, reader.path,
                "its sheet would have \(drawing.size) pixels; write a smaller --max-size, fewer pictures, or an HTML sheet"
            )
        }
        let (pictures, measured) = try decode(chosen, geometry, measuredPictures, progress)
        // In relation to all others; between them, a frame would change what is known about their neighbours.
        let scores = StillScoring(
            (known + measured).sorted { $0.time < $1.time }, in: place, prefersCalm: prefersCalm)
        let scored = Dictionary((scoring.candidates + scores.candidates).map { ($0.time, $0.score) }) { first, _ in
            first
        }
        let numbers = try frameNumbers()
        var shown = chosen.frames.map { frame in
            FrameSheet.Picture(
                time: frame.time, still: frame.still, frame: numbers[frame.time],
                score: scored[frame.time],
                isSuggested: frame.time == best.time, isInWindow: frame.time >= window.start && frame.time < window.end)
        }
        var cells = pictures
        if !suggestions.isEmpty {
            // From the best one on.
            let order = suggestions.compactMap { one in shown.firstIndex { $0.time == one.time } }
            (shown, cells) = (order.map { shown[$0] }, order.map { cells[$0] })
        }
        var sheet = FrameSheet(
            pictures: shown, clipDuration: span.end, windowStart: window.start, windowEnd: window.end,
            suggestedStill: chosen.frames.first { $0.time == best.time }?.still ?? "",
            candidates: isAround ? [] : scoring.candidates, size: nil,
            hasSound: reader.hasSoundTrack, warnings: [reader.damage?.warning].compactMap(\.self))
        if let output { try write(&sheet, cells, geometry.movie.size, drawing, to: output) }
        return sheet
    }

    private var isAround: Bool { if case .around = layout.selection { true } else { false } }

    /// The shown part of the clip.
    private func part() throws -> (start: MediaTime, end: MediaTime) {
        if case .around(let time) = layout.selection {
            let window = try window(around: probe.time(time, in: span))
            return (window.start, window.end)
        }
        let start = try layout.start.map { try probe.time($0, in: span) } ?? span.start
        let end = try layout.end.map { try probe.time($0, in: span) } ?? span.end
        return try span.part(from: start, to: end, of: reader.path, work.requestedTimes)
    }

    /// Where the best still is looked for: in the shown part, where the movie has the room that it needs.
    private func place(in part: (start: MediaTime, end: MediaTime)) throws -> StillPlace {
        let window = work.preset.window
        guard case .best = layout.selection, layout.start == nil, layout.end == nil else {
            return StillPlace(start: part.start, end: part.end, before: window.before, after: window.after)
        }
        return try probe.resolved(work, in: span, StillPlace.init)
    }

    /// The window of the movie that has its still at a time.
    private func window(around time: MediaTime) throws -> Window {
        try probe.resolved(work, in: span, still: time, Window.init)
    }

    /// - Returns: the picture of each frame, and measures of those that were not measured before.
    private func decode(
        _ chosen: SheetFrames, _ geometry: PictureGeometry, _ known: MeasuredPictures,
        _ progress: (ConversionProgress) -> Void
    ) throws -> (pictures: [[[UInt8]]], measured: [StillScoring.Sample]) {
        let settings = work.preset
        let filters = PictureFilters(
            chosen.picture, geometry, to: .photo(geometry.movie), toneMapping: settings.picture.toneMapping,
            background: settings.picture.background)
        let converter = PictureConverter(filters, threads: 1)
        var pictures = chosen.frames.map { known.picture(at: $0.time, chosen.picture) }
        var measured: [StillScoring.Sample] = []
        let needed = pictures.indices.filter { pictures[$0] == nil }
        try chosen.decode(
            needed, probe, span, threads: threads, isApproximate: layout.format == nil || geometry.isMuchSmaller
        ) { frame, index in
            pictures[index] = layout.format == nil ? [] : try converter.convert(frame).colorPlanes()
            // The frames between the pictures are not measured, so nothing is known about motion.
            measured.append(
                try FrameMeter(reader, settings, edge: StillReading.edge).sample(frame, at: chosen.frames[index].time))
            progress(
                ConversionProgress(
                    frames: pictures.count - needed.count + measured.count, totalFrames: chosen.frames.count))
        }
        if needed.isEmpty { progress(ConversionProgress(frames: pictures.count, totalFrames: pictures.count)) }
        return (pictures.map { $0 ?? [] }, measured)
    }

    private func frameNumbers() throws -> [MediaTime: Int] {
        guard span.end <= Self.longestCounted else { return [:] }
        let times = try probe.allFrameTimes().sortedWithoutDuplicates()
        return Dictionary(times.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    private func write(
        _ sheet: inout FrameSheet, _ cells: [[[UInt8]]], _ size: PixelSize, _ drawing: SheetDrawing,
        to output: WritableFile
    ) throws {
        let file = try OutputFile(rewriting: output)
        switch layout.format {
        case .html:
            for (index, cell) in cells.enumerated() {
                let picture = try Frame(size: size, format: "yuvj444p", color: .jfif, planes: cell)
                let jpeg = try JPEGEncoder.encode(picture, quality: Self.quality)
                try file.write(jpeg)
                sheet.pictures[index].bytes = jpeg.count
            }
            sheet.size = size
        case .jpeg:
            try file.write(JPEGEncoder.encode(drawing.draw(sheet.pictures, cells), quality: Self.quality))
            sheet.size = drawing.size
        case .png:
            let toRGB =
                "scale=flags=accurate_rnd+full_chroma_int:in_color_matrix=bt601:in_range=full:out_range=full,format=rgb24"
            let picture = try PictureConverter.Chain(toRGB).convert(drawing.draw(sheet.pictures, cells))
            try file.write(PNGEncoder.encode(picture))
            sheet.size = drawing.size
        case nil: break
        }
        try file.close()
    }
}
