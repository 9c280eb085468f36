package import FFmpegKit
package import MediaModel

extension ColorDescription {
    /// What the clip's numbers mean, with every tag that is missing filled in as players do: the matrix of standard
    /// definition (up to 576 lines) is BT.601's, of all else BT.709's; RGB is sRGB in full range.
    ///
    /// Primaries that are not told are taken as BT.709's: a small untagged clip is nearly always a scaled-down one
    /// from today's cameras and screens, whatever its matrix.
    package init(of video: VideoParameters) {
        let tagged = video.color
        let isStandardDefinition = video.codedSize.height <= 576 && video.codedSize.width <= 1024
        // H.273: 0 and 3 are reserved for primaries and transfer; 0 is RGB as a matrix.
        func known(_ value: UInt16, or other: UInt16) -> UInt16 {
            value == Self.unspecified || value == 0 || value == 3 ? other : value
        }
        let format = video.pixelFormat
        self.init(
            primaries: known(tagged.primaries, or: Self.bt709.primaries),
            transfer: known(tagged.transfer, or: Self.bt709.transfer),
            matrix: format.isRGB ? 0 : known(tagged.matrix, or: isStandardDefinition ? 6 : Self.bt709.matrix),
            isFullRange: tagged.isFullRange || format.isFullRangeByName || format.isRGB)
    }

    /// The still we make: sRGB primaries, JFIF's YCbCr (BT.601 in full range). The transfer is left as the movie's,
    /// since both are shown alike.
    package static let jfif = ColorDescription(primaries: 1, transfer: 1, matrix: 6, isFullRange: true)

    /// The transfer functions of standard range that displays show alike, so that code values pass unchanged:
    /// BT.709, BT.470, BT.601, xvYCC, sRGB, BT.2020 (H.273).
    private static let ordinaryTransfers: Set<UInt16> = [1, 4, 5, 6, 11, 12, 13, 14, 15]

    package var hasOrdinaryTransfer: Bool { Self.ordinaryTransfers.contains(transfer) }

    /// Whether code values of `self` are right as they stand where `target` is expected.
    package func isAlike(_ target: ColorDescription) -> Bool {
        hasMatrix(of: target) && isFullRange == target.isFullRange && primaries == target.primaries
            && hasOrdinaryTransfer
    }

    /// BT.470 BG and BT.601 have the same coefficients.
    private func hasMatrix(of other: ColorDescription) -> Bool {
        matrix == other.matrix || [5, 6].contains(matrix) && [5, 6].contains(other.matrix)
    }
}
