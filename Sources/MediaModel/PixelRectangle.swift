/// A rectangle in a picture, in pixels from its upper left corner.
public struct PixelRectangle: Sendable, Hashable {
    /// The distance of the left edge from the picture's, in pixels.
    public var x: Int
    /// The distance of the upper edge from the picture's, in pixels.
    public var y: Int
    /// Width and height in pixels.
    public var size: PixelSize

    /// A rectangle of any size at any place; a conversion rejects one outside its picture.
    public init(x: Int = 0, y: Int = 0, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }

    /// The width in pixels.
    public var width: Int { size.width }
    /// The height in pixels.
    public var height: Int { size.height }

    /// Whether it is not empty and lies within a picture of this size.
    package func fits(in picture: PixelSize) -> Bool {
        x >= 0 && y >= 0 && width > 0 && height > 0 && width <= picture.width && height <= picture.height
            && x <= picture.width - width && y <= picture.height - height
    }

    /// The largest part with this aspect ratio, centred.
    package func filling(_ shape: AspectRatio) -> PixelRectangle {
        var size = size
        if Double(width) > Double(height) * shape.value {
            size.width = max(Int((Double(height) * shape.value).rounded()), 1)
        } else {
            size.height = max(Int((Double(width) / shape.value).rounded()), 1)
        }
        size = PixelSize(width: min(size.width, width), height: min(size.height, height))
        return PixelRectangle(x: x + (width - size.width) / 2, y: y + (height - size.height) / 2, size: size)
    }
}

extension PixelRectangle: CustomStringConvertible {
    /// `x,y,width,height`
    public var description: String { "\(x),\(y),\(width),\(height)" }
}
