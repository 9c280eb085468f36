import FFmpegKit
import MediaModel

/// A picture in the format of key photos (`yuvj444p`), on which pictures and texts are drawn.
struct SheetCanvas {
    struct Color {
        let luma, blue, red: UInt8

        static let background = Color(luma: 28, blue: 128, red: 128)
        static let text = Color(luma: 225, blue: 128, red: 128)
        /// The best still: yellow.
        static let suggested = Color(luma: 208, blue: 32, red: 146)
        /// The movie's window: blue.
        static let window = Color(luma: 140, blue: 180, red: 80)

        fileprivate var components: [UInt8] { [luma, blue, red] }
    }

    let size: PixelSize
    private var planes: [[UInt8]]

    init(_ size: PixelSize) {
        self.size = size
        planes = Color.background.components.map { [UInt8](repeating: $0, count: size.width * size.height) }
    }

    /// Fills an area, as far as it lies on the canvas.
    mutating func fill(_ area: PixelSize, x: Int, y: Int, _ color: Color) {
        let (left, right) = (max(x, 0), min(x + area.width, size.width))
        let (top, bottom) = (max(y, 0), min(y + area.height, size.height))
        guard left < right, top < bottom else { return }
        for row in top..<bottom {
            for (index, component) in color.components.enumerated() {
                for place in row * size.width + left..<row * size.width + right { planes[index][place] = component }
            }
        }
    }

    /// Draws a picture with its upper left corner at a place.
    ///
    /// - Parameter picture: luma and chroma, each of every pixel.
    mutating func draw(_ picture: [[UInt8]], _ pictureSize: PixelSize, x: Int, y: Int) {
        guard x >= 0, y >= 0, x + pictureSize.width <= size.width, y + pictureSize.height <= size.height else { return }
        for (index, plane) in picture.enumerated() where plane.count == pictureSize.width * pictureSize.height {
            for row in 0..<pictureSize.height {
                let target = (y + row) * size.width + x
                planes[index].replaceSubrange(
                    target..<target + pictureSize.width,
                    with: plane[row * pictureSize.width..<(row + 1) * pictureSize.width])
            }
        }
    }

    /// Draws a text of `BitmapFont` centred below a place.
    mutating func draw(_ text: String, centre: Int, y: Int, scale: Int, _ color: Color) {
        let dot = PixelSize(width: scale, height: scale)
        let advance = (BitmapFont.width + 1) * scale
        var left = centre - (text.count * advance - scale) / 2
        for character in text {
            for (row, line) in (BitmapFont.rows(of: character) ?? []).enumerated() {
                for (column, ink) in line.enumerated() where ink == "#" {
                    fill(dot, x: left + column * scale, y: y + row * scale, color)
                }
            }
            left += advance
        }
    }

    func picture() throws -> Frame {
        try Frame(size: size, format: "yuvj444p", color: .jfif, planes: planes)
    }
}
