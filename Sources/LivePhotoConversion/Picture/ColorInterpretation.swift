package import FFmpegKit
package import MediaModel

extension ColorDescription {
    /// The meaning of the clip's samples, with missing tags filled in as players do; RGB is sRGB in full range.
    package init(of video: VideoParameters) {
        self = video.color.completed(forSize: video.codedSize)
        let format = video.pixelFormat
        if format.isRGB { matrix = 0 }
        isFullRange = isFullRange || format.isFullRangeByName || format.isRGB
    }

    /// The still we make: sRGB primaries, JFIF's YCbCr (BT.601 in full range). The transfer is left as the movie's,
    /// since both are shown alike.
    package static let jfif = ColorDescription(primaries: 1, transfer: 1, matrix: 6, isFullRange: true)

    /// The transfer functions of standard range that displays show alike, so that code values pass unchanged:
    /// BT.709, BT.470, BT.601, xvYCC, sRGB, BT.2020 (H.273).
    private static let ordinaryTransfers: Set<UInt16> = [1, 4, 5, 6, 11, 12, 13, 14, 15]

    package var hasOrdinaryTransfer: Bool { Self.ordinaryTransfers.contains(transfer) }

    /// Whether code values of `self` can be used unchanged where `target` is expected.
    package func isAlike(_ target: ColorDescription) -> Bool {
        hasMatrix(of: target) && isFullRange == target.isFullRange && primaries == target.primaries
            && hasOrdinaryTransfer
    }

    /// BT.470 BG and BT.601 have the same coefficients.
    private func hasMatrix(of other: ColorDescription) -> Bool {
        matrix == other.matrix || [5, 6].contains(matrix) && [5, 6].contains(other.matrix)
    }
}
