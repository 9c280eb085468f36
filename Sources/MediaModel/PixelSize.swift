/// Width and height in pixels.
public struct PixelSize: Sendable, Hashable, Codable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    public var longEdge: Int { max(width, height) }
    public var shortEdge: Int { min(width, height) }
    /// Width and height swapped.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

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
