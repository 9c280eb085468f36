package import FFmpegKit
package import MediaModel

extension ColorDescription {
    /// The clip's color description, with missing tags completed as players do; RGB has full range.
    package init(of video: VideoParameters) {
        self = video.color.completed(forSize: video.codedSize)
        let format = video.pixelFormat
        if format.isRGB { matrix = 0 }
        isFullRange = isFullRange || format.isFullRangeByName || format.isRGB
    }

    /// The color description of our photos: sRGB primaries, JFIF's YCbCr (BT.601 in full range). The transfer function
    /// is the movie's, because displays show both in the same way.
    package static let jfif = ColorDescription(primaries: 1, transfer: 1, matrix: 6, isFullRange: true)

    /// H.273 table 3: IEC 61966-2-1, whose curve is that of displays for BT.709 too.
    static let sRGBTransfer: UInt16 = 13

    /// The same HDR in YCbCr of limited range, as players expect it: all that changes are matrix and range.
    var forHDRMovie: ColorDescription {
        ColorDescription(
            primaries: primaries, transfer: transfer, matrix: matrix == 0 ? Self.bt2020Matrix : matrix,
            isFullRange: false)
    }

    /// ITU-R BT.2020's with non-constant luminance.
    private static let bt2020Matrix: UInt16 = 9

    /// The SDR transfer functions, which displays show in the same way, so that code values need no conversion: BT.709,
    /// BT.470, BT.601, xvYCC, sRGB, BT.2020 (H.273).
    private static let ordinaryTransfers: Set<UInt16> = [1, 4, 5, 6, 11, 12, 13, 14, 15]

    package var hasOrdinaryTransfer: Bool { Self.ordinaryTransfers.contains(transfer) }

    /// Whether code values can be used unchanged where `target` is expected.
    package func isAlike(_ target: ColorDescription) -> Bool {
        hasMatrix(of: target) && isFullRange == target.isFullRange && primaries == target.primaries
            && (transfer == target.transfer || hasOrdinaryTransfer && target.hasOrdinaryTransfer)
    }

    /// BT.470 BG and BT.601 have the same coefficients.
    private func hasMatrix(of other: ColorDescription) -> Bool {
        matrix == other.matrix || [5, 6].contains(matrix) && [5, 6].contains(other.matrix)
    }
}
