import ArgumentParser
import LivePhotoRequests

/// How the pictures of a photo and its movie are turned, and how their tone, colour and sound change. The values are
/// strings, because settings give better errors for wrong values than ArgumentParser.
struct AdjustmentOptions: ParsableArguments {
    @Option(.rotate) var rotate: String?
    @Option(.flip) var flip: String?
    @Option(.straighten) var straighten: String?
    @Option(.exposure) var exposure: String?
    @Option(.contrast) var contrast: String?
    @Option(.saturation) var saturation: String?
    @Option(.warmth) var warmth: String?
    @Option(.tint) var tint: String?
    @Option(.vignette) var vignette: String?
    @Option(.sharpen) var sharpen: String?
    @Option(.denoise) var denoise: String?
    @Option(.lut) var lut: String?
    @Option(.filter) var filter: String?
    @Flag(help: ArgumentHelp(stringLiteral: Setting.stabilize.help)) var stabilize = false
    @Option(.volume) var volume: String?

    /// What was given for each setting.
    var texts: [(Setting, String?)] {
        [
            (.rotate, rotate), (.flip, flip), (.straighten, straighten), (.exposure, exposure), (.contrast, contrast),
            (.saturation, saturation), (.warmth, warmth), (.tint, tint), (.vignette, vignette), (.sharpen, sharpen),
            (.denoise, denoise), (.lut, lut), (.filter, filter), (.stabilize, stabilize ? "true" : nil),
            (.volume, volume),
        ]
    }
}
