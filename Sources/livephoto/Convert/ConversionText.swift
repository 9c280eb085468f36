import LivePhotoBatch

extension ConversionResult {
    /// `beach.JPG + beach.MOV: 3.0 s, 15 of 30 fps, 1080p, 2.1 MB; still at 1.47 s; HDR tone-mapped; date from the clip`
    var summary: String {
        let movieText = [
            "\(Words.decimal(plan.duration.seconds, 1)) s", plan.frameRateText, plan.movieSize.text,
            Words.size(bytes: size),
        ].joined(separator: ", ")
        let parts = [
            movieText, plan.stillText, plan.hdrText, plan.dateText,
        ]
        let files = "\(photo) + \(movie.lastComponent?.string ?? movie.string)"
        return "\(files): \(parts.filter { !$0.isEmpty }.joined(separator: "; "))"
    }
}

extension PlanSummary {
    /// `15 of 30 fps`, or `24 fps` if that is the clip's rate.
    fileprivate var frameRateText: String {
        guard frameRate != clipFrameRate else { return "\(frameRate)" }
        return "\(decimal(frameRate.framesPerSecond, places: 3)) of \(clipFrameRate)"
    }

    /// With the time in the clip if the movie begins clearly later.
    fileprivate var stillText: String {
        let inClip = start.seconds < 0.1 ? "" : " (\(Words.decimal(stillInClip.seconds, 2)) s of the clip)"
        return "still at \(Words.decimal(stillTime.seconds, 2)) s\(inClip)"
    }

    fileprivate var hdrText: String {
        [isToneMapped ? "HDR tone-mapped" : keepsHDR ? "HDR" : "", hasGainMap ? "the photo with a gain map" : ""]
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    fileprivate var dateText: String { captureDateSource.map { "date \($0)" } ?? "no date" }
}

extension PixelSize {
    /// `1080p` for the usual short edges, otherwise `320x240`.
    fileprivate var text: String {
        [2160, 1440, 1080, 720, 576, 540, 480, 360, 240].contains(shortEdge) ? "\(shortEdge)p" : "\(self)"
    }
}
