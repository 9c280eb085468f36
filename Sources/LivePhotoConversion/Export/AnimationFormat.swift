import FFmpegKit
import LivePhotoRequests
import MediaModel

/// How an animation is written: its encoder, muxer, filters and times.
struct AnimationFormat {
    let settings: AnimationWriter.Settings
    let times: AnimationTimes
    /// Filters of `FilterGraph` for each picture, with the palette as their second input if there is one; nil for none.
    let filters: String?
    let hasPalette: Bool
    /// Whether its pictures are made from the color of photos.
    var hasColorOfPhotos: Bool { filters != nil }

    /// From the color of photos to the layout that palettegen and paletteuse take.
    static let toRGB =
        "scale=flags=neighbor+accurate_rnd+full_chroma_int:in_color_matrix=bt601:in_range=full,format=bgra"
    /// From the color of photos to that of WebP: BT.601 with limited range. Parts that stay the same become transparent.
    private static let toWebP =
        "scale=flags=area:in_color_matrix=bt601:in_range=full:out_color_matrix=bt601"
        + ":out_range=limited,format=yuva420p"
    /// The largest sum of squared differences in a block of 16 by 16 samples that stays the same: noise of a decoder.
    private static let webPThreshold = 16
    /// Colors that change count more than those of a still background; Documentation/Formats.md has measurements.
    static let paletteStatistics = "diff"
    private static let dithering = "dither=bayer:bayer_scale=3:diff_mode=rectangle"

    /// - Throws: `LivePhotoError` with the code `missingLibrary` if libav has no encoder or muxer for it.
    init(_ format: ExportFormat, _ plan: ConversionPlan, loops: Int) throws(LivePhotoError) {
        if let component = format.missingComponent {
            throw LivePhotoError(
                .missingLibrary, nil,
                "this build of FFmpeg cannot write \(format.rawValue): it lacks the \(component); 'livephoto doctor' lists"
                    + " the formats that it can write")
        }
        let clock: (timescale: Int32, shortest: Int64)
        switch format {
        // Browsers show frames of 0.01 s for 0.1 s, in GIF and in WebP.
        case .gif: clock = (100, 2)
        case .webp: clock = (1000, 11)
        case .avif, .mp4, .jpeg, .frames: clock = (FrameSchedule.timescale, 1)
        }
        times = AnimationTimes(plan.frames, timescale: clock.timescale, shortest: clock.shortest)
        hasPalette = format == .gif
        var muxer = AnimationWriter.Settings.Component(format.muxer)
        var options: [String: String] = [:]
        switch format {
        case .gif:
            filters =
                "[in]\(Self.toRGB)[rgb];[rgb][side]paletteuse=\(Self.dithering)[out]"
            // The extension for loops counts repetitions.
            muxer.options["loop"] = "\(loops == 0 ? 0 : loops == 1 ? -1 : loops - 1)"
            muxer.options["final_delay"] = "\(times.entries.last?.duration ?? 0)"
        case .webp:
            filters = Self.toWebP
            muxer.options["loop"] = "\(loops)"
            options = ["quality": "\(plan.photoQuality)", "preset": "photo", "compression_level": "4"]
            options["cr_threshold"] = "\(Self.webPThreshold)"
        case .avif, .mp4, .jpeg, .frames:
            filters = nil
            if LibavVersions.hasOption("loop", ofMuxer: format.muxer) {
                muxer.options["loop"] = "\(loops)"
            } else if loops != 0 {
                throw LivePhotoError(
                    .missingLibrary, nil,
                    "this version of FFmpeg writes only AVIF that plays forever; leave the number of loops out")
            }
            // From 63, the worst, to 1. A higher speed (`cpu-used`) has no effect.
            let factor = max(63 * (100 - plan.photoQuality) / 100, 1)
            options = ["crf": "\(factor)", "b": "0", "cpu-used": "6", "row-mt": "1"]
        }
        settings = AnimationWriter.Settings(
            encoder: .init(format.encoder, options), muxer: muxer, size: plan.movieSize,
            format: hasPalette ? "pal8" : filters == nil ? "yuv420p" : "yuva420p",
            color: hasPalette
                ? ColorDescription(primaries: 1, transfer: 13, matrix: 0, isFullRange: true)
                : filters == nil ? .bt709 : ColorDescription(primaries: 1, transfer: 13, matrix: 6, isFullRange: false),
            frameRate: plan.frameRate, timescale: clock.timescale, threads: plan.processingThreads)
    }
}

extension ExportFormat {
    /// libav's name of the encoder that writes it. (SVT-AV1 1.4 hung in the sandboxed
    /// worker with small pictures. `libwebp_anim` leaves out small changes from frame to frame, which add up to visible
    /// blocks.)
    var encoder: String {
        switch self {
        case .mp4: "libx264"
        case .gif: "gif"
        case .webp: "libwebp"
        case .avif: "libaom-av1"
        case .jpeg, .frames: "mjpeg"
        }
    }

    /// libav's name of the muxer; this program writes the other formats itself.
    fileprivate var muxer: String { rawValue }

    /// What this build of libav lacks to write it; nil if nothing.
    var missingComponent: String? {
        if !LibavVersions.hasEncoder(encoder) { return "encoder \(encoder)" }
        if isAnimation, !LibavVersions.hasMuxer(muxer) { return "muxer \(muxer)" }
        guard self == .gif else { return nil }
        return ["palettegen", "paletteuse"].first { !LibavVersions.hasFilter($0) }.map { "filter \($0)" }
    }
}
