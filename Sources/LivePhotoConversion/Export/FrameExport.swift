import Bytes
import FFmpegKit
import LivePhotoRequests
import MediaModel

/// Writes the frames of a plan's movie in a format of `ExportFormat`, without sound.
struct FrameExport {
    let plan: ConversionPlan
    let reader: ClipReader
    let progress: @Sendable (ConversionProgress) -> Void

    /// - Parameter loops: how often an animation plays; 0 is forever.
    func run(as format: ExportFormat, loops: Int, to output: WritableFile) throws -> ExportedMedia {
        let file = try OutputFile(rewriting: output)
        let media: ExportedMedia
        switch format {
        case .frames: media = try writeJPEGs(to: file)
        case .gif, .webp, .avif:
            let animation = try AnimationFormat(format, plan, loops: loops)
            media = try write(animation, to: file)
        case .jpeg: media = try writeLongExposure(to: file)
        case .mp4:
            throw LivePhotoError(.internalError, plan.clip, "\(format) is not written frame by frame")
        }
        try file.close()
        return media
    }

    private func writeJPEGs(to file: OutputFile) throws -> ExportedMedia {
        let frames = MovieFrames(plan, reader, filters: plan.pictures.movie.forPhotos)
        var parts: [Int] = []
        try frames.forEach { picture, _ in
            let jpeg = try JPEGEncoder.encode(picture, quality: plan.photoQuality)
            try file.write(jpeg)
            parts.append(jpeg.count)
            report(parts.count, of: plan.frameCount)
        }
        return ExportedMedia(
            size: plan.movieSize, frames: parts.count, duration: plan.duration, parts: parts,
            warnings: plan.warnings + frames.warnings)
    }

    private func writeLongExposure(to file: OutputFile) throws -> ExportedMedia {
        let picture = try LongExposure(plan: plan, reader: reader).picture()
        try file.write(try plan.keyPhoto(picture, identifier: nil))
        return ExportedMedia(size: picture.size, frames: 1, duration: .zero, warnings: plan.warnings)
    }

    private func write(_ animation: AnimationFormat, to file: OutputFile) throws -> ExportedMedia {
        let filters = animation.hasColorOfPhotos ? plan.pictures.movie.forPhotos : plan.pictures.movie
        let frames = MovieFrames(plan, reader, filters: filters)
        let times = animation.times
        let entries = Dictionary(uniqueKeysWithValues: times.entries.map { ($0.index, $0) })
        let passes = animation.hasPalette ? 2 : 1
        var done = 0
        func finishFrame() {
            done += 1
            report(done / passes, of: entries.count)
        }
        var palette: Frame?
        if animation.hasPalette {
            let maker = PaletteMaker(threads: plan.processingThreads)
            try frames.forEach { picture, index in
                guard entries[index] != nil else { return }
                try maker.add(picture)
                finishFrame()
            }
            palette = try maker.finish()
        }
        let writer = try AnimationWriter(animation.settings, to: file)
        var graph: FilterGraph?
        var waiting: [AnimationTimes.Entry] = []
        func append(_ picture: Frame) throws {
            guard !waiting.isEmpty else { return }
            let entry = waiting.removeFirst()
            try writer.append(picture, at: entry.time, duration: entry.duration)
            finishFrame()
        }
        try frames.forEach { picture, index in
            guard let entry = entries[index] else { return }
            waiting.append(entry)
            guard let filters = animation.filters else { return try append(picture) }
            let current =
                try graph
                ?? FilterGraph(filters, like: picture.shown(at: .zero), side: palette, threads: plan.processingThreads)
            graph = current
            try current.send(picture.shown(at: MediaTime(value: entry.time, timescale: times.timescale)))
            while let filtered = try current.receive() { try append(filtered) }
        }
        try graph?.send(nil)
        while let filtered = try graph?.receive() { try append(filtered) }
        guard waiting.isEmpty else {
            throw LivePhotoError(.internalError, plan.clip, "\(waiting.count) of its frames were lost")
        }
        try writer.finish()
        return ExportedMedia(
            size: plan.movieSize, frames: entries.count, duration: times.duration,
            warnings: plan.warnings + frames.warnings)
    }

    private func report(_ done: Int, of total: Int) {
        progress(ConversionProgress(frames: done, totalFrames: total))
    }
}
