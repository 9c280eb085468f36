package import FFmpegKit
package import MediaModel

/// The libavfilter chain that turns the clip's pictures into what one of our encoders takes; empty when they are
/// that already.
///
/// libswscale changes size and layout and is told to leave the colours' meaning alone; zimg (zscale) changes what
/// the numbers mean. So no conversion happens by accident on the way.
package struct PictureFilters: Sendable, Hashable {
    /// In libavfilter's syntax.
    package let description: String
    private let video: VideoParameters
    private let geometry: PictureGeometry
    private let target: Target
    private let toneMapping: ToneMapping

    /// A picture as an encoder wants it.
    package struct Target: Sendable, Hashable {
        package let canvas: PictureGeometry.Canvas
        package let color: ColorDescription
        /// libav's name of the pixel format.
        package let format: String
        /// Where a chroma sample stands among its luma samples, by zscale's names.
        package let chromaLocation: String

        package static func movie(_ geometry: PictureGeometry) -> Target {
            Target(canvas: geometry.movie, color: .bt709, format: "yuv420p", chromaLocation: "left")
        }

        /// With chroma at every pixel: halving it again after the change of matrix and place would blur colours that the
        /// movie still has.
        package static func photo(_ geometry: PictureGeometry) -> Target {
            Target(canvas: geometry.photo, color: .jfif, format: "yuvj444p", chromaLocation: "center")
        }

        /// A photo at the size of the geometry's movie.
        static func thumbnail(_ geometry: PictureGeometry) -> Target {
            Target(canvas: geometry.movie, color: .jfif, format: "yuvj444p", chromaLocation: "center")
        }
    }

    package init(
        _ video: VideoParameters, _ geometry: PictureGeometry, to target: Target, toneMapping: ToneMapping = .mobius
    ) {
        self.toneMapping = toneMapping
        self.video = video
        self.geometry = geometry
        self.target = target
        let color = ColorDescription(of: video)
        let size = geometry.unturned(target.canvas.picture.size)
        let convertsColor = !color.isAlike(target.color)
        let layout = convertsColor ? Self.layoutForColor(video.pixelFormat, size) : target.format
        let chroma = ChromaSampling(video)
        var chain = Self.crop(geometry, video.pixelFormat, color)
        if video.pixelFormat.hasAlpha {
            let planes = video.pixelFormat.isRGB ? "gbrap" : "yuva444p"
            chain += [Self.layoutChange(color, to: planes), "premultiply=inplace=1"]
        }
        if size != geometry.part.size {
            chain.append(Self.layoutChange(color, to: layout, size: size))
        } else if layout != video.pixelFormat.name || !chain.isEmpty {
            chain.append(Self.layoutChange(color, to: layout))
        }
        if convertsColor, target.color == .jfif, let matrix = Self.ordinaryMatrix(color, video.pixelFormat) {
            chain += Self.render(color, matrix, as: target)
        } else if convertsColor {
            chain += color.isHDR ? Self.toneMap(color, toneMapping, chroma) : Self.gamutChange(color, chroma)
            chain += Self.encoding(of: color, as: target, size, chroma)
        }
        chain += Self.turn(geometry.orientation)
        chain += Self.pad(target.canvas)
        description = chain.joined(separator: ",")
    }

    /// The chain for pictures that differ from what the container says, as in a clip that changes on the way: the
    /// result is the same in size and kind.
    func adapted(to stored: PixelSize, _ format: PixelFormat) -> PictureFilters {
        guard stored != geometry.stored || format != video.pixelFormat else { return self }
        var video = video
        video.codedSize = stored
        video.pixelFormat = format
        // What an untagged clip means follows from its first size, not from each of its sizes.
        video.color = ColorDescription(of: self.video)
        if format.isFullRangeByName != self.video.pixelFormat.isFullRangeByName {
            video.color.isFullRange = format.isFullRangeByName
        }
        return PictureFilters(video, geometry.storing(stored), to: target, toneMapping: toneMapping)
    }

    /// The part of the stored picture that is taken. Where it does not begin and end with whole chroma samples, or
    /// pixels are smaller than bytes, the picture is spread out first.
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
        return isCut ? [layoutChange(color, to: spreadOut(format)), crop] : [crop]
    }

    /// The layout with the same components at every pixel, each in a plane of its own.
    private static func spreadOut(_ format: PixelFormat) -> String {
        let planes = (format.isRGB ? "gbr" : "yuv") + (format.hasAlpha ? "a" : "") + (format.isRGB ? "p" : "444p")
        return withDepth(planes, format)
    }

    /// A layout that zimg takes: planar, with chroma planes that the size divides into.
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

    private static func layoutChange(
        _ color: ColorDescription, to layout: String, size: PixelSize? = nil, algorithm: String = "bicubic"
    ) -> String {
        let range = color.isFullRange ? "full" : "limited"
        let scale = size.map { "w=\($0.width):h=\($0.height):" } ?? ""
        return "scale=\(scale)flags=\(algorithm)+accurate_rnd+full_chroma_int:in_range=\(range):out_range=\(range)"
            + ",format=\(layout)"
    }

    /// How chroma comes to every pixel, where the colours are converted, and back to fewer.
    private enum ChromaSampling {
        /// A sample is that of all pixels that share it. What the clip's samples hold passes exactly; interpolating and
        /// halving again would blur it, and ring at edges.
        case shared
        /// By a filter that knows where samples stand.
        case interpolated

        init(_ video: VideoParameters) {
            self = video.pixelFormat.chromaSpacing.width == 2 && video.hasChromaAtLeft ? .shared : .interpolated
        }

        var parameters: String {
            switch self {
            case .shared: "filter=point:chromalin=center"
            case .interpolated: "filter=spline36"
            }
        }
    }

    /// zscale takes the code points of H.273 as they are.
    private static func input(_ color: ColorDescription, _ chroma: ChromaSampling) -> String {
        "\(chroma.parameters):matrixin=\(color.matrix):primariesin=\(color.primaries):transferin=\(color.transfer)"
            + ":rangein=\(color.isFullRange ? "full" : "limited")"
    }

    /// libswscale's name of the matrix of an ordinary picture: 8-bit YCbCr of BT.709's primaries. Nil for all else.
    private static func ordinaryMatrix(_ color: ColorDescription, _ format: PixelFormat) -> String? {
        guard format.bitsPerComponent == 8, !format.isRGB, color.hasOrdinaryTransfer,
            color.primaries == ColorDescription.bt709.primaries
        else { return nil }
        let names: [UInt16: String] = [1: "bt709", 4: "fcc", 5: "bt470", 6: "smpte170m", 7: "smpte240m"]
        return names[color.matrix]
    }

    /// To an encoder by way of 8-bit RGB as libswscale renders it for a screen. More exact numbers would differ by one
    /// from those that a player makes of the movie, which shows in dark pictures when the photo begins to move.
    private static func render(_ color: ColorDescription, _ matrix: String, as target: Target) -> [String] {
        let range = color.isFullRange ? "full" : "limited"
        return [
            "scale=flags=neighbor:in_color_matrix=\(matrix):in_range=\(range)", "format=rgb24",
            "scale=flags=neighbor+accurate_rnd+full_chroma_int:out_color_matrix=bt601:out_range=full",
            "format=\(target.format)",
        ]
    }

    /// From other primaries to BT.709's, through RGB: there a colour that BT.709 does not have is cut off, as every
    /// display does; cut off in YCbCr its hue would change. Empty where the primaries are BT.709's already.
    private static func gamutChange(_ color: ColorDescription, _ chroma: ChromaSampling) -> [String] {
        guard color.primaries != ColorDescription.bt709.primaries || !color.hasOrdinaryTransfer else { return [] }
        return [
            "zscale=\(input(color.withOrdinaryTransfer, chroma)):primaries=1:transfer=1:\(rgb)", "format=\(rgbLayout)",
        ]
    }

    /// HDR to SDR in linear light, where 1 is diffuse white, 203 cd/m² (ITU-R BT.2408), for PQ and HLG alike. The
    /// operators work on the largest component and scale the others with it, so that hues stay.
    private static func toneMap(
        _ color: ColorDescription, _ toneMapping: ToneMapping, _ chroma: ChromaSampling
    ) -> [String] {
        [
            "zscale=\(input(color, chroma)):primaries=1:transfer=8:\(rgb):npl=203", "format=gbrpf32le",
            toneMapping.filter,
            "zscale=\(rgbInput(transfer: 8)):primaries=1:transfer=1:\(rgb)", "format=\(rgbLayout)",
        ]
    }

    private static let rgb = "matrix=0:range=full"
    private static let rgbLayout = "gbrp16le"

    /// BT.709's RGB with a transfer function of H.273: 1 is BT.709's own, 8 linear light.
    private static func rgbInput(transfer: UInt16) -> String {
        input(ColorDescription(primaries: 1, transfer: transfer, matrix: 0, isFullRange: true), .interpolated)
    }

    /// To the matrix, range and layout that the encoder takes.
    private static func encoding(
        of color: ColorDescription, as target: Target, _ size: PixelSize, _ chroma: ChromaSampling
    ) -> [String] {
        let isRGB = color.isHDR || !gamutChange(color, chroma).isEmpty
        let source = isRGB ? rgbInput(transfer: 1) : input(color.withOrdinaryTransfer, chroma)
        let change =
            "zscale=\(source):matrix=\(target.color.matrix):primaries=1:transfer=1"
            + ":range=\(target.color.isFullRange ? "full" : "limited"):chromal=\(target.chromaLocation)"
        // libswscale takes the mean of the pixels that share a sample, and halves an odd number of them; zimg neither.
        guard target.format == "yuv420p", chroma == .shared || !size.isEven else {
            return [change, "format=\(target.format)"]
        }
        let algorithm = chroma == .shared ? "area" : "bicubic"
        return [change, "format=yuv444p", layoutChange(target.color, to: target.format, algorithm: algorithm)]
    }

    /// Black around a picture of another shape than what is shown.
    private static func pad(_ canvas: PictureGeometry.Canvas) -> [String] {
        guard canvas.picture.size != canvas.size else { return [] }
        let place = "x=\(canvas.picture.x):y=\(canvas.picture.y)"
        return ["pad=w=\(canvas.size.width):h=\(canvas.size.height):\(place):color=black"]
    }

    /// Filters that turn and mirror a stored picture upright.
    private static func turn(_ orientation: Orientation) -> [String] {
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

extension ColorDescription {
    /// An ordinary transfer function stays as it is: displays show them alike, and going through linear light would
    /// only lose shadows.
    fileprivate var withOrdinaryTransfer: ColorDescription {
        var copy = self
        if hasOrdinaryTransfer { copy.transfer = Self.bt709.transfer }
        return copy
    }
}

extension PixelSize {
    fileprivate var isEven: Bool { width.isMultiple(of: 2) && height.isMultiple(of: 2) }
}
