public import MediaModel

/// The crop and shape of the clip's picture, in both the photo and the movie.
public struct Framing: Sendable, Hashable, Codable {
    /// A target aspect ratio.
    public enum Shape: Sendable, Hashable, Codable {
        /// Shows the entire picture, with black bars.
        case fit(AspectRatio)
        /// Crops the picture around its centre.
        case fill(AspectRatio)
    }

    /// The crop rectangle, in pixels of the photo without cropping: upright, with square pixels. Nil for no crop.
    public var crop: PixelRectangle?
    /// The shape after `crop`; nil keeps it.
    public var shape: Shape?

    /// A crop rectangle, a shape, both (the shape applies to the rectangle), or neither.
    public init(crop: PixelRectangle? = nil, shape: Shape? = nil) {
        self.crop = crop
        self.shape = shape
    }
}

extension Framing {
    /// The aspect ratio of `Shape.fill`, otherwise nil. Setting nil does not remove a `Shape.fit`.
    var fill: AspectRatio? {
        get { if case .fill(let ratio) = shape { ratio } else { nil } }
        set { if newValue != nil || fill != nil { shape = newValue.map(Shape.fill) } }
    }

    /// The aspect ratio of `Shape.fit`, otherwise nil. Setting nil does not remove a `Shape.fill`.
    var fit: AspectRatio? {
        get { if case .fit(let ratio) = shape { ratio } else { nil } }
        set { if newValue != nil || fit != nil { shape = newValue.map(Shape.fit) } }
    }

    static let conflict = "fill and fit exclude each other: one crops to a shape, the other adds black bars"
}

extension AspectRatio: OptionValue {
    public static let kind = "a shape"
    public static let allowed = "width and height, from 1:20 to 20:1, such as 16:9, 3:4 or 9:19.5"
    public static let jsonSchema =
        #""type": "string", "pattern": "^[0-9]*\\.?[0-9]+[:x/][0-9]*\\.?[0-9]+$", "examples": ["3:4", "9:19.5"]"#
    private static let places = 3

    /// Reads `16:9`, `16x9` or `16/9`, with at most three decimals: from 1:20 to 20:1.
    public init?(text: String) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "x" || $0 == "/" }
        guard parts.count == 2, let width = ExactDecimal(parts[0], places: Self.places)?.units(of: Self.places),
            let height = ExactDecimal(parts[1], places: Self.places)?.units(of: Self.places),
            width > 0, height > 0, width <= 20 * height, height <= 20 * width
        else { return nil }
        self.init(Int(width), Int(height))
    }
}

extension PixelRectangle: OptionValue {
    public static let kind = "a part of a picture"
    public static let allowed = "left edge, upper edge, width and height in pixels, such as 200,0,1080,1080"
    public static let jsonSchema =
        #""type": "string", "pattern": "^[0-9]+,[0-9]+,0*[1-9][0-9]*,0*[1-9][0-9]*$", "examples": ["200,0,1080,1080"]"#

    /// Reads `X,Y,W,H` in pixels.
    public init?(text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { wholeNumber($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3], width > 0, height > 0
        else { return nil }
        self.init(x: x, y: y, size: PixelSize(width: width, height: height))
    }
}
