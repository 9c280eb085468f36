import FFmpegKit
import MediaModel

/// Filters that convert matrix, range, primaries and transfer function.
extension PictureFilters {
    /// How chroma is upsampled before a color conversion and subsampled after it.
    enum ChromaSampling {
        /// A sample is repeated for all pixels that share it, which preserves it exactly; interpolating and subsampling
        /// again would blur it and cause ringing at edges.
        case shared
        /// Interpolated with respect to the chroma location.
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

    /// zscale uses the code points of H.273.
    private static func input(_ color: ColorDescription, _ chroma: ChromaSampling) -> String {
        "\(chroma.parameters):matrixin=\(color.matrix):primariesin=\(color.primaries):transferin=\(color.transfer)"
            + ":rangein=\(color.isFullRange ? "full" : "limited")"
    }

    /// libswscale's name of the matrix of an ordinary picture: 8-bit YCbCr with BT.709 primaries. Nil for any other.
    static func ordinaryMatrix(_ color: ColorDescription, _ format: PixelFormat) -> String? {
        guard format.bitsPerComponent == 8, !format.isRGB, color.hasOrdinaryTransfer,
            color.primaries == ColorDescription.bt709.primaries
        else { return nil }
        let names: [UInt16: String] = [1: "bt709", 4: "fcc", 5: "bt470", 6: "smpte170m", 7: "smpte240m"]
        return names[color.matrix]
    }

    /// Converts through 8-bit RGB as libswscale renders it for a screen. Exact conversion would differ by one code
    /// value from the movie as players show it, which is visible in dark pictures when the photo starts to move.
    static func render(_ color: ColorDescription, _ matrix: String, as target: Target) -> [String] {
        let range = color.isFullRange ? "full" : "limited"
        let chroma = target.format == "yuvj420p" ? "area" : "neighbor"
        return [
            "scale=flags=neighbor:in_color_matrix=\(matrix):in_range=\(range)", "format=rgb24",
            "scale=flags=\(chroma)+accurate_rnd+full_chroma_int:out_color_matrix=bt601:out_range=full",
            "format=\(target.format)",
        ]
    }

    /// Converts other primaries to BT.709's in RGB, where colors outside of BT.709 are clipped as on every display;
    /// clipping in YCbCr would change hues. Empty if the primaries are already BT.709's.
    static func gamutChange(_ color: ColorDescription, _ chroma: ChromaSampling) -> [String] {
        guard color.primaries != ColorDescription.bt709.primaries || !color.hasOrdinaryTransfer else { return [] }
        return [
            "zscale=\(input(color.withOrdinaryTransfer, chroma)):primaries=1:transfer=1:\(rgb)", "format=\(rgbLayout)",
        ]
    }

    /// Makes linear light of PQ and HLG, where 1 is diffuse white, 203 cd/m² (ITU-R BT.2408); colours outside of BT.709 have
    /// negative components.
    static func linearLight(_ color: ColorDescription, _ chroma: ChromaSampling) -> [String] {
        ["zscale=\(input(color, chroma)):primaries=1:transfer=8:\(rgb):npl=203", "format=gbrpf32le"]
    }

    /// Filters that make linear light of photos, as displays show it.
    static var lightOfPhotos: String {
        var color = ColorDescription.jfif
        color.transfer = ColorDescription.sRGBTransfer
        return linearLight(color, .interpolated).joined(separator: ",")
    }

    /// Converts matrix and range of HDR, in its own primaries and transfer function.
    static func recoding(
        of color: ColorDescription, as target: Target, _ size: PixelSize, _ chroma: ChromaSampling
    ) -> [String] {
        let change =
            "zscale=\(input(color, chroma)):matrix=\(target.color.matrix):primaries=\(target.color.primaries)"
            + ":transfer=\(target.color.transfer):range=limited:chromal=\(target.chromaLocation)"
        guard !size.isEven else { return [change, "format=\(target.format)"] }
        // libswscale makes the chroma sample of an odd edge; zimg does not.
        return [change, "format=yuv444p10le", layoutChange(target.color, to: target.format)]
    }

    private static let rgb = "matrix=0:range=full"
    private static let rgbLayout = "gbrp16le"

    /// BT.709's RGB with a transfer function of H.273: 1 is BT.709's, 8 linear light.
    private static func rgbInput(transfer: UInt16) -> String {
        input(ColorDescription(primaries: 1, transfer: transfer, matrix: 0, isFullRange: true), .interpolated)
    }

    /// Converts to the encoder's matrix, range and layout.
    static func encoding(
        of color: ColorDescription, as target: Target, _ size: PixelSize, _ chroma: ChromaSampling
    ) -> [String] {
        let source =
            if color.isHDR {
                rgbInput(transfer: 8)
            } else if !gamutChange(color, chroma).isEmpty {
                rgbInput(transfer: 1)
            } else {
                input(color.withOrdinaryTransfer, chroma)
            }
        return encoding(from: source, as: target, size, chroma)
    }

    /// Converts a picture between the encoder's layout and those of adjustments, which have the same primaries and transfer
    /// function. Chroma samples are replicated and averaged, so that there and back changes nothing.
    static func conversion(
        from source: AdjustmentChain.Layout, to result: AdjustmentChain.Layout, _ target: Target, _ size: PixelSize
    ) -> [String] {
        switch (source, result) {
        case (.encoder, .yuv) where target.format == "yuv420p":
            [layoutChange(target.color, to: "yuv444p", algorithm: "neighbor")]
        case (.yuv, .encoder) where target.format == "yuv420p":
            [layoutChange(target.color, to: target.format, algorithm: "area")]
        case (.encoder, _):
            ["zscale=\(input(target.color, .shared)):\(output(result))", "format=\(result.format(target))"]
        case (_, .encoder):
            encoding(from: input(source), as: target, size, .shared)
        default:
            ["zscale=\(input(source)):\(output(result))", "format=\(result.format(target))"]
        }
    }

    /// zscale's options for output in a layout of adjustments.
    private static func output(_ layout: AdjustmentChain.Layout) -> String {
        "primaries=1:transfer=1:\(layout == .yuv ? "matrix=1:range=limited" : rgb)"
    }

    /// zscale's options for input in a layout of adjustments.
    private static func input(_ layout: AdjustmentChain.Layout) -> String {
        layout == .yuv ? input(.bt709, .shared) : rgbInput(transfer: ColorDescription.bt709.transfer)
    }

    private static func encoding(
        from source: String, as target: Target, _ size: PixelSize, _ chroma: ChromaSampling
    ) -> [String] {
        let change =
            "zscale=\(source):matrix=\(target.color.matrix):primaries=1:transfer=1"
            + ":range=\(target.color.isFullRange ? "full" : "limited"):chromal=\(target.chromaLocation)"
        // libswscale averages the pixels that share a sample, even at an odd edge; zimg does not.
        guard target.format == "yuv420p", chroma == .shared || !size.isEven else {
            return [change, "format=\(target.format)"]
        }
        let algorithm = chroma == .shared ? "area" : "bicubic"
        return [change, "format=yuv444p", layoutChange(target.color, to: target.format, algorithm: algorithm)]
    }
}

extension ColorDescription {
    /// Prevents the conversion of ordinary transfer functions: displays show them in the same way, and conversion
    /// through linear light would lose shadow detail.
    fileprivate var withOrdinaryTransfer: ColorDescription {
        var copy = self
        if hasOrdinaryTransfer { copy.transfer = Self.bt709.transfer }
        return copy
    }
}

extension ToneMapping {
    /// White stays at 84, 78 or 62 % of the signal, or at 100 % (`ToneMapping`).
    var curve: ToneCurve {
        switch self {
        case .mobius: .mobius(linearTo: 0.3)
        case .reinhard: .reinhard(0.5)
        case .hable: .hable
        case .clip: .clip
        }
    }
}
