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

    public init(primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// Whether the transfer function is one of high dynamic range: PQ (SMPTE ST 2084) or HLG (ARIB STD-B67).
    public var isHDR: Bool { transfer == 16 || transfer == 18 }
}
