import FFmpegKit
import MediaModel

/// What changes the meaning of a picture's numbers: matrix, range, primaries and tone curve.
extension PictureFilters {
    /// How chroma comes to every pixel, where the colours are converted, and back to fewer.
    enum ChromaSampling {
        /// A sample is that of all pixels that share it. What the clip's samples hold passes exactly; interpolating and
        /// halving again would blur it, and ring at edges.
        case shared
        /// By a filter that respects the chroma location.
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

    /// libswscale's name of the matrix of an ordinary picture: 8-bit YCbCr of BT.709's primaries. Nil for any other.
    static func ordinaryMatrix(_ color: ColorDescription, _ format: PixelFormat) -> String? {
        guard format.bitsPerComponent == 8, !format.isRGB, color.hasOrdinaryTransfer,
            color.primaries == ColorDescription.bt709.primaries
        else { return nil }
        let names: [UInt16: String] = [1: "bt709", 4: "fcc", 5: "bt470", 6: "smpte170m", 7: "smpte240m"]
        return names[color.matrix]
    }

    /// To an encoder by way of 8-bit RGB as libswscale renders it for a screen. More exact numbers would differ by one
    /// from those that a player makes of the movie, which shows in dark pictures when the photo begins to move.
    static func render(_ color: ColorDescription, _ matrix: String, as target: Target) -> [String] {
        let range = color.isFullRange ? "full" : "limited"
        return [
            "scale=flags=neighbor:in_color_matrix=\(matrix):in_range=\(range)", "format=rgb24",
            "scale=flags=neighbor+accurate_rnd+full_chroma_int:out_color_matrix=bt601:out_range=full",
            "format=\(target.format)",
        ]
    }

    /// From other primaries to BT.709's, through RGB: there a colour that BT.709 does not have is cut off, as every
    /// display does; cut off in YCbCr its hue would change. Empty where the primaries are BT.709's already.
    static func gamutChange(_ color: ColorDescription, _ chroma: ChromaSampling) -> [String] {
        guard color.primaries != ColorDescription.bt709.primaries || !color.hasOrdinaryTransfer else { return [] }
        return [
            "zscale=\(input(color.withOrdinaryTransfer, chroma)):primaries=1:transfer=1:\(rgb)", "format=\(rgbLayout)",
        ]
    }

    /// HDR to SDR in linear light, where 1 is diffuse white, 203 cd/m² (ITU-R BT.2408), for PQ and HLG alike. The
    /// operators work on the largest component and scale the others with it, so that hues stay.
    static func toneMap(
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

    /// BT.709's RGB with a transfer function of H.273: 1 is BT.709's, 8 linear light.
    private static func rgbInput(transfer: UInt16) -> String {
        input(ColorDescription(primaries: 1, transfer: transfer, matrix: 0, isFullRange: true), .interpolated)
    }

    /// To the matrix, range and layout that the encoder takes.
    static func encoding(
        of color: ColorDescription, as target: Target, _ size: PixelSize, _ chroma: ChromaSampling
    ) -> [String] {
        let isRGB = color.isHDR || !gamutChange(color, chroma).isEmpty
        let source = isRGB ? rgbInput(transfer: 1) : input(color.withOrdinaryTransfer, chroma)
        let change =
            "zscale=\(source):matrix=\(target.color.matrix):primaries=1:transfer=1"
            + ":range=\(target.color.isFullRange ? "full" : "limited"):chromal=\(target.chromaLocation)"
        // libswscale averages the pixels that share a sample, also at an odd edge; zimg does not.
        guard target.format == "yuv420p", chroma == .shared || !size.isEven else {
            return [change, "format=\(target.format)"]
        }
        let algorithm = chroma == .shared ? "area" : "bicubic"
        return [change, "format=yuv444p", layoutChange(target.color, to: target.format, algorithm: algorithm)]
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

extension ToneMapping {
    /// In libavfilter's syntax. `desat=0` leaves hues alone; a peak of ten times diffuse white is above what clips are
    /// graded to, whatever their metadata say.
    var filter: String {
        let parameter =
            switch self {
            case .mobius: ":param=0.3"
            case .reinhard: ":param=0.5"
            case .hable, .clip: ""
            }
        return "tonemap=\(rawValue)\(parameter):desat=0:peak=10"
    }
}
