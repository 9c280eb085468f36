/// What a picture's numbers mean: the code points of ITU-T H.273 (= ISO/IEC 23091-2), as in H.264's VUI and `colr`.
public struct ColorDescription: Sendable, Hashable {
    /// H.273 ColourPrimaries: 1 BT.709, 5 BT.601 625, 6 BT.601 525, 9 BT.2020, 12 P3-D65; 2 unspecified.
    public var primaries: UInt16
    /// H.273 TransferCharacteristics: 1 BT.709, 6 BT.601, 13 sRGB, 16 PQ, 18 HLG; 2 unspecified.
    public var transfer: UInt16
    /// H.273 MatrixCoefficients: 0 RGB, 1 BT.709, 5 and 6 BT.601, 9 BT.2020; 2 unspecified.
    public var matrix: UInt16
    /// Whether luma uses 0…255 (of 8 bits) rather than 16…235.
    public var isFullRange: Bool

    public static let unspecified: UInt16 = 2
    /// The movie we make: BT.709, limited range.
    public static let bt709 = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)

    /// Nothing is told.
    package static let untagged = ColorDescription(
        primaries: unspecified, transfer: unspecified, matrix: unspecified, isFullRange: false)

    public init(primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// With all that is not told filled in as players do: the matrix of standard definition (up to 576 lines) is BT.601's,
    /// of all else BT.709's.
    ///
    /// Primaries that are not told are taken as BT.709's: a small untagged clip is nearly always a scaled-down one
    /// from today's cameras and screens, whatever its matrix.
    ///
    /// - Parameter size: of the stored picture.
    package func completed(forSize size: PixelSize) -> ColorDescription {
        let isStandardDefinition = size.height <= 576 && size.width <= 1024
        // H.273: 0 and 3 are reserved for primaries and transfer; 0 is RGB as a matrix.
        func known(_ value: UInt16, or other: UInt16) -> UInt16 {
            value == Self.unspecified || value == 0 || value == 3 ? other : value
        }
        return ColorDescription(
            primaries: known(primaries, or: Self.bt709.primaries),
            transfer: known(transfer, or: Self.bt709.transfer),
            matrix: known(matrix, or: isStandardDefinition ? 6 : Self.bt709.matrix), isFullRange: isFullRange)
    }

    /// Whether the transfer function is one of high dynamic range: PQ (SMPTE ST 2084) or HLG (ARIB STD-B67).
    public var isHDR: Bool { transfer == 16 || transfer == 18 }
}
