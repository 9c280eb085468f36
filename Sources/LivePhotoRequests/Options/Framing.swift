public import MediaModel

/// What is shown of the clip's picture, in photo and movie alike.
public struct Framing: Sendable, Hashable, Codable {
    /// A shape that the clip's picture is brought to.
    public enum Shape: Sendable, Hashable, Codable {
        /// All of the picture, with black beside or above and below it.
        case fit(AspectRatio)
        /// As much of the middle of the picture as has the shape.
        case fill(AspectRatio)

        /// The shape that one of the two was asked for with; nil for neither.
        package init?(fill: AspectRatio?, fit: AspectRatio?) throws(FramingConflict) {
            switch (fill, fit) {
            case (_?, _?): throw FramingConflict()
            case (let fill?, nil): self = .fill(fill)
            case (nil, let fit?): self = .fit(fit)
            case (nil, nil): return nil
            }
        }
    }

    /// The part that is taken, in pixels of the upright picture with square pixels: those of the photo that would be
    /// made without it. Nil takes all.
    public var crop: PixelRectangle?
    /// The shape of what is shown; nil is that of what is taken.
    public var shape: Shape?

    public init(crop: PixelRectangle? = nil, shape: Shape? = nil) {
        self.crop = crop
        self.shape = shape
    }
}

/// Both shapes were asked for.
package struct FramingConflict: Error, CustomStringConvertible {
    package let description = "fill and fit exclude each other: one crops to a shape, the other adds black bars"
}

extension AspectRatio: OptionValue {
    /// Reads `16:9`, `16x9` or `16/9`: from 1:20 to 20:1.
    public init(_ text: String) throws(OptionError) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "x" || $0 == "/" }
        guard parts.count == 2, let width = wholeNumber(parts[0]), let height = wholeNumber(parts[1]),
            width > 0, height > 0, width <= 20 * height, height <= 20 * width
        else {
            throw OptionError(text, isNot: "a shape", write: "width and height, from 1:20 to 20:1, as 16:9 or 3:4")
        }
        self.init(width, height)
    }
}

extension PixelRectangle: OptionValue {
    /// Reads `X,Y,W,H` in pixels.
    public init(_ text: String) throws(OptionError) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { wholeNumber($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3], width > 0, height > 0
        else {
            throw OptionError(
                text, isNot: "a part of a picture",
                write: "left edge, upper edge, width and height in pixels, as 200,0,1080,1080")
        }
        self.init(x: x, y: y, size: PixelSize(width: width, height: height))
    }
}
