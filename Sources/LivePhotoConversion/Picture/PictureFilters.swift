package import FFmpegKit
package import MediaModel

/// The steps that convert the clip's pictures for one of the encoders, nearly all of them filters of libavfilter; empty if no
/// conversion is needed.
///
/// libswscale only changes size and layout; zimg (zscale) converts matrix, range, primaries and transfer. This prevents
/// implicit color conversion.
package struct PictureFilters: Sendable, Hashable {
    package let steps: [PictureStep]
    /// The same with a step that steadies a picture before it is adjusted.
    let steadiedSteps: [PictureStep]
    /// In libavfilter's syntax.
    package var description: String { steps.map(\.description).joined(separator: ",") }
    private let video: VideoParameters
    private let geometry: PictureGeometry
    let target: Target
    private let toneMapping: ToneMapping
    private let background: BackgroundColor
    private let adjustments: Adjustments
    private let colorTable: ColorTable?

    /// The format of the pictures for an encoder.
    package struct Target: Sendable, Hashable {
        package var canvas: PictureGeometry.Canvas
        package let color: ColorDescription
        /// libav's name of the pixel format.
        package let format: String
        /// The chroma location, by zscale's names.
        package let chromaLocation: String
        /// How libswscale scales.
        var scaling = "bicubic"

        package static func movie(_ geometry: PictureGeometry) -> Target {
            Target(canvas: geometry.movie, color: .bt709, format: "yuv420p", chromaLocation: "left")
        }

        /// HDR with 10 bits.
        ///
        /// - Parameter color: with the primaries and transfer function of the clip.
        package static func hdr(_ canvas: PictureGeometry.Canvas, _ color: ColorDescription) -> Target {
            Target(canvas: canvas, color: color, format: "yuv420p10le", chromaLocation: "left")
        }

        /// For measurements: the mean of the pixels that become one, which takes a third of the time.
        static func measurement(_ geometry: PictureGeometry) -> Target {
            var target = movie(geometry)
            target.scaling = "area"
            return target
        }

        /// Without chroma subsampling: subsampling again after the change of matrix and chroma location would blur
        /// colors more than in the movie.
        package static func photo(_ canvas: PictureGeometry.Canvas) -> Target {
            Target(canvas: canvas, color: .jfif, format: "yuvj444p", chromaLocation: "center")
        }

        /// For small pictures that are shown briefly: the mean of the pixels that become one, and of the chroma of four, which
        /// take a third of the time.
        static func preview(_ canvas: PictureGeometry.Canvas) -> Target {
            var target = Target(canvas: canvas, color: .jfif, format: "yuvj420p", chromaLocation: "center")
            target.scaling = "area"
            return target
        }

        /// The linear light of HDR, as `PictureFilters.linearLight` makes it, without bars around the picture.
        static func light(_ canvas: PictureGeometry.Canvas) -> Target {
            let color = ColorDescription(primaries: 1, transfer: 8, matrix: 0, isFullRange: true)
            return Target(canvas: canvas, color: color, format: "gbrpf32le", chromaLocation: "center")
        }

        fileprivate var isLight: Bool { color.transfer == 8 }
    }

    /// - Parameters:
    ///   - video: the clip's format. Its orientation includes rotation and mirroring of `adjustments`.
    ///   - geometry: made from `video`.
    ///   - colorTable: the one that `adjustments` names.
    package init(
        _ video: VideoParameters, _ geometry: PictureGeometry, to target: Target, toneMapping: ToneMapping = .mobius,
        background: BackgroundColor = .black, adjustments: Adjustments = Adjustments(), colorTable: ColorTable? = nil
    ) {
        self.toneMapping = toneMapping
        self.background = background
        (self.adjustments, self.colorTable) = (adjustments, colorTable)
        self.video = video
        self.geometry = geometry
        self.target = target
        let color = ColorDescription(of: video)
        let (video, addingChroma) = Self.withChroma(video, color)
        let size = geometry.unturned(target.canvas.picture.size)
        let convertsColor = !color.isAlike(target.color)
        let layout = convertsColor ? Self.layoutForColor(video.pixelFormat, size) : target.format
        let chroma = ChromaSampling(video)
        var chain = addingChroma + Self.crop(geometry, video.pixelFormat, color)
        chain += Self.background(background, behind: video, color)
        if size != geometry.part.size {
            chain.append(Self.layoutChange(color, to: layout, size: size, algorithm: target.scaling))
        } else if layout != video.pixelFormat.name || !chain.isEmpty {
            chain.append(Self.layoutChange(color, to: layout))
        }
        // Later steps and players take chroma for located at the left, which a color conversion by zimg sees to itself.
        if !convertsColor, layout.hasPrefix("yuv420p"), video.pixelFormat.chromaSpacing.height == 2,
            !video.hasChromaAtLeft, size.isEven
        {
            chain += ["zscale=chromal=\(target.chromaLocation):filter=spline16", "format=\(layout)"]
        }
        var toneMap: [PictureStep] = []
        if convertsColor, target.color == .jfif, let matrix = Self.ordinaryMatrix(color, video.pixelFormat) {
            chain += Self.render(color, matrix, as: target)
        } else if target.isLight {
            chain += Self.linearLight(color, chroma)
        } else if convertsColor, target.color.isHDR {
            chain += Self.recoding(of: color, as: target, size, chroma)
        } else if convertsColor {
            if color.isHDR {
                chain += Self.linearLight(color, chroma)
                toneMap = [.filters(chain.joined(separator: ",")), .toneMapping(toneMapping.curve)]
                chain = []
            } else {
                chain += Self.gamutChange(color, chroma)
            }
            chain += Self.encoding(of: color, as: target, size, chroma)
        }
        let conversion = chain + Self.turn(geometry.orientation)
        func steps(isSteadied: Bool) -> [PictureStep] {
            var adjusted = AdjustmentChain(target, after: toneMap, conversion)
            if isSteadied { adjusted.appendSteadying() }
            Self.adjust(&adjusted, adjustments, colorTable)
            return adjusted.finish(with: target.isLight ? [] : Self.pad(target.canvas))
        }
        (self.steps, steadiedSteps) = (steps(isSteadied: false), steps(isSteadied: true))
    }

    /// The chain for pictures of another size or format than planned. Its output has the same size and format, with
    /// black bars beside a picture of another shape.
    func adapted(to frame: Frame) -> PictureFilters {
        let (format, shape) = (format(of: frame), PictureShape(of: frame, in: video))
        guard shape != PictureShape(of: video) || format != video.pixelFormat else { return self }
        let color = ColorDescription(of: video)
        var video = video.shaped(shape)
        video.pixelFormat = format
        video.color = color
        if format.isFullRangeByName != self.video.pixelFormat.isFullRangeByName {
            video.color.isFullRange = format.isFullRangeByName
        }
        let geometry = geometry.storing(shape.size)
        var target = target
        target.canvas = target.canvas.fitting(geometry.croppedSize(shape.sampleAspectRatio))
        return PictureFilters(
            video, geometry, to: target, toneMapping: toneMapping, background: background, adjustments: adjustments,
            colorTable: colorTable)
    }

    /// The chain for the same canvas with the color of photos, for encoders of photos and of RGB.
    var forPhotos: PictureFilters {
        PictureFilters(
            video, geometry, to: .photo(target.canvas), toneMapping: toneMapping, background: background,
            adjustments: adjustments, colorTable: colorTable)
    }

    /// The chain for pictures that are not adjusted, as the clip shows them.
    var withoutAdjustments: PictureFilters {
        PictureFilters(video, geometry, to: target, toneMapping: toneMapping, background: background)
    }

    /// The position of the picture in the output, inside any bars.
    var pictureInCanvas: PixelRectangle { target.canvas.picture }

    /// Whether the used part of this picture has transparent pixels.
    func isTransparent(_ picture: Frame) -> Bool {
        format(of: picture).hasAlpha && picture.isTransparent(in: geometry.storing(picture.size).part)
    }

    /// The container describes the format in more detail than the frame does.
    private func format(of picture: Frame) -> PixelFormat {
        let format = picture.pixelFormat
        return format.name == video.pixelFormat.name ? video.pixelFormat : format
    }

    /// Gives gray pictures of limited range neutral chroma, and leaves the samples as they are: libswscale since FFmpeg 7
    /// takes all gray for full range, whatever its tags and options say.
    private static func withChroma(_ video: VideoParameters, _ color: ColorDescription) -> (VideoParameters, [String]) {
        guard video.pixelFormat.isGray, !color.isFullRange else { return (video, []) }
        let layout = withDepth("yuv420p", video.pixelFormat)
        var colored = video
        colored.pixelFormat = PixelFormat(name: layout, bitsPerComponent: video.pixelFormat.bitsPerComponent)
        var full = color
        full.isFullRange = true
        return (colored, ["setparams=range=full", layoutChange(full, to: layout), "setparams=range=limited"])
    }

    /// Crops to the used part of the stored picture. If its edges divide chroma samples, or several pixels share a
    /// byte, the picture is first converted to a layout without subsampling.
    private static func crop(
        _ geometry: PictureGeometry, _ format: PixelFormat, _ color: ColorDescription
    ) -> [String] {
        let part = geometry.part
        guard part != PixelRectangle(size: geometry.stored) else { return [] }
        let crop = "crop=w=\(part.width):h=\(part.height):x=\(part.x):y=\(part.y):exact=1"
        let isCut =
            format.bitsPerComponent < 8
            || [part.x, part.width].contains { !$0.isMultiple(of: format.chromaSpacing.width) }
            || [part.y, part.height].contains { !$0.isMultiple(of: format.chromaSpacing.height) }
        return isCut ? [layoutChange(color, to: layoutWithoutSubsampling(format)), crop] : [crop]
    }

    /// The planar layout with the same components for every pixel.
    private static func layoutWithoutSubsampling(_ format: PixelFormat) -> String {
        let planes = (format.isRGB ? "gbr" : "yuv") + (format.hasAlpha ? "a" : "") + (format.isRGB ? "p" : "444p")
        return withDepth(planes, format)
    }

    /// A layout that zimg supports: planar, with whole chroma samples.
    private static func layoutForColor(_ format: PixelFormat, _ size: PixelSize) -> String {
        let spacing = format.chromaSpacing
        let planes =
            switch (spacing.width, spacing.height) {
            case _ where format.isRGB: "gbrp"
            case (2, 2) where size.isEven: "yuv420p"
            case (2, 1) where size.isEven: "yuv422p"
            default: "yuv444p"
            }
        return withDepth(planes, format)
    }

    private static func withDepth(_ planes: String, _ format: PixelFormat) -> String {
        switch format.bitsPerComponent {
        case ...8: planes
        case ...10: planes + "10le"
        case ...12: planes + "12le"
        default: planes + "16le"
        }
    }

    static func layoutChange(
        _ color: ColorDescription, to layout: String, size: PixelSize? = nil, algorithm: String = "bicubic"
    ) -> String {
        let range = color.isFullRange ? "full" : "limited"
        let scale = size.map { "w=\($0.width):h=\($0.height):" } ?? ""
        return "scale=\(scale)flags=\(algorithm)+accurate_rnd+full_chroma_int:in_range=\(range):out_range=\(range)"
            + ",format=\(layout)"
    }

    /// Adds black bars around a picture that is smaller than the canvas.
    private static func pad(_ canvas: PictureGeometry.Canvas) -> [String] {
        guard canvas.picture.size != canvas.size else { return [] }
        let place = "x=\(canvas.picture.x):y=\(canvas.picture.y)"
        return ["pad=w=\(canvas.size.width):h=\(canvas.size.height):\(place):color=black"]
    }

    /// Filters that turn and mirror a stored picture upright.
    static func turn(_ orientation: Orientation) -> [String] {
        switch orientation {
        case .upright: []
        case .mirrored: ["hflip"]
        case .rotated180: ["hflip", "vflip"]
        case .flipped: ["vflip"]
        case .transposed: ["transpose=cclock_flip"]
        case .rotated90Clockwise: ["transpose=clock"]
        case .antitransposed: ["transpose=clock_flip"]
        case .rotated90Counterclockwise: ["transpose=cclock"]
        }
    }
}

extension PixelSize {
    var isEven: Bool { width.isMultiple(of: 2) && height.isMultiple(of: 2) }
}
