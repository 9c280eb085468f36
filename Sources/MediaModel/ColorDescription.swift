/// How a picture's sample values represent colours: the code points of ITU-T H.273 (= ISO/IEC 23091-2), as in H.264's
/// VUI and `colr`.
package struct ColorDescription: Sendable, Hashable {
    /// H.273 ColourPrimaries: 1 BT.709, 5 BT.601 625, 6 BT.601 525, 9 BT.2020, 12 P3-D65; 2 unspecified.
    package var primaries: UInt16
    /// H.273 TransferCharacteristics: 1 BT.709, 6 BT.601, 13 sRGB, 16 PQ, 18 HLG; 2 unspecified.
    package var transfer: UInt16
    /// H.273 MatrixCoefficients: 0 RGB, 1 BT.709, 5 and 6 BT.601, 9 BT.2020; 2 unspecified.
    package var matrix: UInt16
    /// Whether luma uses 0…255 (of 8 bits) rather than 16…235.
    package var isFullRange: Bool

    package static let unspecified: UInt16 = 2
    /// BT.709, limited range, as in the movies this program makes.
    package static let bt709 = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)

    package static let untagged = ColorDescription(
        primaries: unspecified, transfer: unspecified, matrix: unspecified, isFullRange: false)

    package init(primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// Replaces unspecified values as players do: the matrix by that of BT.601 in standard definition (up to 576 lines)
    /// and by that of BT.709 otherwise, everything else by the values of BT.709.
    ///
    /// Untagged primaries are BT.709's even in small clips, which are nearly always downscaled recordings of current
    /// cameras and screens.
    ///
    /// - Parameter size: The size of the stored picture.
    package func completed(forSize size: PixelSize) -> ColorDescription {
        let isStandardDefinition = size.height <= 576 && size.width <= 1024
        // H.273: 0 and 3 are reserved for primaries and transfer; 0 is RGB as a matrix.
        func specified(_ value: UInt16, or other: UInt16) -> UInt16 {
            [Self.unspecified, 0, 3].contains(value) ? other : value
        }
        return ColorDescription(
            primaries: specified(primaries, or: Self.bt709.primaries),
            transfer: specified(transfer, or: Self.bt709.transfer),
            matrix: specified(matrix, or: isStandardDefinition ? 6 : Self.bt709.matrix), isFullRange: isFullRange)
    }

    /// Whether the transfer function is PQ (SMPTE ST 2084) or HLG (ARIB STD-B67).
    package var isHDR: Bool { transfer == 16 || transfer == 18 }
}
