/// A ratio of width to height in lowest terms.
public struct AspectRatio: Sendable, Hashable {
    /// The width in lowest terms; at least 1.
    public let width: Int
    /// The height in lowest terms; at least 1.
    public let height: Int

    /// The ratio of two numbers, in lowest terms. Invalid ratios (0:1, negative) become 1:1.
    public init(_ width: Int, _ height: Int) {
        guard width > 0, height > 0 else {
            (self.width, self.height) = (1, 1)
            return
        }
        let divisor = Int(greatestCommonDivisor(UInt64(width), UInt64(height)))
        self.width = width / divisor
        self.height = height / divisor
    }

    /// Whether the ratio is 1:1.
    public var isSquare: Bool { width == height }

    /// Width divided by height.
    public var value: Double { Double(width) / Double(height) }
}

extension AspectRatio: CustomStringConvertible {
    /// `16:9`
    public var description: String { "\(width):\(height)" }
}
