/// Width and height in pixels.
public struct PixelSize: Sendable, Hashable, Codable {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// A size in pixels. The numbers are not checked.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The largest edge of a picture in any format that is read or written here.
    private static let longestEdge = 1 << 16

    /// Reads width and height.
    ///
    /// - Throws: `DecodingError` unless both are from 1 to 65,536.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        width = try container.whole(.width, in: 1...Self.longestEdge)
        height = try container.whole(.height, in: 1...Self.longestEdge)
    }

    /// The longer one of width and height.
    public var longEdge: Int { max(width, height) }
    /// The shorter one of width and height.
    public var shortEdge: Int { min(width, height) }
    /// Width and height swapped.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// About the same shape with another, even long edge. Both edges are even, because libheif 1.15 stores others as derived
    /// pictures, which FFmpeg does not take for a thumbnail.
    package func scaled(toLongEdge edge: Int) -> PixelSize {
        func scaled(_ length: Int) -> Int { max((length * edge + longEdge) / max(longEdge, 1) / 2 * 2, 2) }
        return PixelSize(width: scaled(width), height: scaled(height))
    }

    /// Whether two pictures have the same aspect ratio, up to rounding to even edges.
    package func hasShape(of other: PixelSize) -> Bool {
        let (width, height) = (Double(max(width, 1)), Double(max(height, 1)))
        let (otherWidth, otherHeight) = (Double(max(other.width, 1)), Double(max(other.height, 1)))
        return abs(width * otherHeight / (height * otherWidth) - 1) <= 0.02
            || abs(otherWidth * height / width - otherHeight) <= 2
            || abs(otherHeight * width / height - otherWidth) <= 2
    }
}

extension PixelSize: CustomStringConvertible {
    /// `1920x1080`
    public var description: String { "\(width)x\(height)" }
}
