/// A filter of libavfilter that `FilterChain` allows: its result depends on nothing but the picture, so that photo and movie
/// get the same, and the picture keeps its size.
package struct AllowedFilter: Sendable, Hashable {
    /// The layout in which a filter gets its pictures. ffmpeg gives most filters the layout of an ordinary clip.
    package enum Layout: Sendable, Hashable {
        /// `yuv444p` with BT.709's matrix and limited range. With chroma of full size, because lengths in pixels apply to
        /// all planes.
        case yuv
        /// `gbrp`, with full range.
        case rgb
        /// That of the filter before.
        case any
    }

    /// Why an option cannot be used.
    package enum Refusal: Sendable, Hashable {
        case file, time, chance

        var reason: String {
            switch self {
            case .file: "it reads or writes a file"
            case .time: "its result depends on more than one picture"
            case .chance: "its result depends on chance"
            }
        }
    }

    package let name: String
    package let layout: Layout
    /// Options that cannot be used.
    package let refused: [String: Refusal]
    /// How many values can be given without a name: fewer than would reach an option of `refused`. Nil for all.
    package let unnamedLimit: Int?
    /// What stands for time in its expressions.
    package let timeVariables: Set<String>
    /// Whether it moves what is in the picture.
    package let movesPicture: Bool
    /// Whether its result depends on the number of pixels of the picture.
    package let countsPixels: Bool

    private init(
        _ name: String, _ layout: Layout, refused: [String: Refusal] = [:], unnamed: Int? = nil,
        time: Set<String> = [], moves: Bool = false, pixels: Bool = false
    ) {
        (self.name, self.layout, self.refused, unnamedLimit) = (name, layout, refused, unnamed)
        (timeVariables, movesPicture, countsPixels) = (time, moves, pixels)
    }
}

extension AllowedFilter {
    /// All allowed filters, which Documentation/Filters.md lists in this order. Every one has been tried: a picture that
    /// stays the same gives pictures that stay the same, but for the dithering of vignette.
    package static let all = tone + detail + geometry

    /// Options of every filter. `enable` turns a filter on and off in time.
    static let refusedEverywhere: [String: Refusal] = ["enable": .time]
    /// Options of every filter that only concern how libavfilter runs it.
    static let settingsOfGraph: Set<String> = ["thread_type", "threads", "extra_hw_frames"]

    /// Tone and colour.
    private static let tone = [
        AllowedFilter("chromahold", .yuv),
        AllowedFilter("colorbalance", .rgb),
        AllowedFilter("colorchannelmixer", .rgb),
        AllowedFilter("colorcontrast", .rgb),
        AllowedFilter("colorcorrect", .yuv),
        AllowedFilter("colorhold", .rgb),
        AllowedFilter("colorize", .yuv),
        AllowedFilter("colorlevels", .rgb),
        AllowedFilter("colortemperature", .rgb),
        AllowedFilter("curves", .rgb, refused: ["psfile": .file, "plot": .file], unnamed: 6),
        AllowedFilter("eq", .yuv, refused: ["eval": .time], unnamed: 8, time: ["n", "pos", "r", "t"]),
        AllowedFilter("exposure", .rgb),
        AllowedFilter("grayworld", .rgb),
        AllowedFilter("histeq", .rgb, refused: ["antibanding": .chance], unnamed: 2),
        AllowedFilter("hsvhold", .yuv),
        AllowedFilter("hue", .yuv, time: ["n", "pts", "r", "t", "tb"]),
        AllowedFilter("huesaturation", .rgb),
        AllowedFilter("limiter", .yuv),
        AllowedFilter("lut", .yuv),
        AllowedFilter("lutrgb", .rgb),
        AllowedFilter("lutyuv", .yuv),
        AllowedFilter("monochrome", .yuv),
        AllowedFilter("negate", .yuv),
        AllowedFilter("normalize", .rgb, refused: ["smoothing": .time], unnamed: 2),
        AllowedFilter("pseudocolor", .yuv),
        AllowedFilter("selectivecolor", .rgb, refused: ["psfile": .file], unnamed: 10),
        AllowedFilter("swapuv", .yuv),
        AllowedFilter("vibrance", .rgb),
        AllowedFilter(
            "vignette", .yuv, refused: ["eval": .time], unnamed: 4, time: ["n", "pts", "r", "t", "tb"]),
    ]

    /// Sharpness, noise, edges and patterns.
    private static let detail = [
        AllowedFilter("avgblur", .yuv, pixels: true),
        AllowedFilter("bilateral", .yuv, pixels: true),
        AllowedFilter("boxblur", .yuv, pixels: true),
        AllowedFilter("cas", .yuv, pixels: true),
        AllowedFilter("chromanr", .yuv, pixels: true),
        AllowedFilter("convolution", .yuv, pixels: true),
        AllowedFilter("dblur", .yuv, pixels: true),
        AllowedFilter("dctdnoiz", .rgb, pixels: true),
        AllowedFilter("deband", .yuv, pixels: true),
        AllowedFilter("deblock", .yuv, pixels: true),
        AllowedFilter("deflate", .yuv, pixels: true),
        AllowedFilter("dilation", .yuv, pixels: true),
        AllowedFilter("edgedetect", .rgb, pixels: true),
        AllowedFilter("erosion", .yuv, pixels: true),
        AllowedFilter("gblur", .yuv, pixels: true),
        AllowedFilter("geq", .yuv, unnamed: 4, time: ["N", "T"], pixels: true),
        AllowedFilter("gradfun", .yuv, pixels: true),
        AllowedFilter("inflate", .yuv, pixels: true),
        AllowedFilter("kirsch", .yuv, pixels: true),
        AllowedFilter("median", .yuv, pixels: true),
        AllowedFilter("nlmeans", .yuv, pixels: true),
        AllowedFilter("noise", .yuv, unnamed: 2, pixels: true),
        AllowedFilter("owdenoise", .yuv, pixels: true),
        AllowedFilter("prewitt", .yuv, pixels: true),
        AllowedFilter("removegrain", .yuv, pixels: true),
        AllowedFilter("roberts", .yuv, pixels: true),
        AllowedFilter("sab", .yuv, pixels: true),
        AllowedFilter("scharr", .yuv, pixels: true),
        AllowedFilter("smartblur", .yuv, pixels: true),
        AllowedFilter("sobel", .yuv, pixels: true),
        AllowedFilter("unsharp", .yuv, pixels: true),
        AllowedFilter("vaguedenoiser", .yuv, pixels: true),
        AllowedFilter("yaepblur", .yuv, pixels: true),
    ]

    /// Filters that move parts of the picture, or draw over it. Those that take a colour get RGB: libavfilter knows only the
    /// matrix of BT.601.
    private static let geometry = [
        AllowedFilter("chromashift", .yuv, pixels: true),
        AllowedFilter("drawbox", .rgb, refused: ["box_source": .time], unnamed: 7, pixels: true),
        AllowedFilter("drawgrid", .rgb, pixels: true),
        AllowedFilter("fillborders", .rgb, pixels: true),
        AllowedFilter("hflip", .any, moves: true),
        AllowedFilter("lenscorrection", .rgb, moves: true),
        AllowedFilter(
            "perspective", .yuv, refused: ["eval": .time], unnamed: 10, time: ["in", "on"], moves: true, pixels: true),
        AllowedFilter("pixelize", .yuv, pixels: true),
        AllowedFilter("rgbashift", .rgb, pixels: true),
        AllowedFilter("rotate", .rgb, time: ["n", "t"], moves: true),
        AllowedFilter("shear", .rgb, moves: true),
        AllowedFilter("vflip", .any, moves: true),
    ]
}
