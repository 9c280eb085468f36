import FFmpegKit
import LivePhotoRequests
import MediaModel

/// Arranges pictures in rows, with their times below them.
struct SheetDrawing {
    private let cell: PixelSize
    private let columns: Int
    private let count: Int

    private static let margin = 10
    private static let frameWidth = 4
    private static let scale = 2
    /// The height of a time with the space around it, and of the line that marks the window.
    private static let (textHeight, lineHeight) = (BitmapFont.height * scale + 12, 4)
    /// The width of the sheet in relation to its height, if the number of columns is free.
    private static let shape = 1.5
    /// The longest edge of a JPEG that all programs read.
    private static let longestEdge = 16_384

    /// - Parameters:
    ///   - cell: the size of a picture.
    ///   - columns: nil for a number that suits the sheet's shape.
    init(_ count: Int, cell: PixelSize, columns: Int?) {
        (self.count, self.cell) = (max(count, 1), cell)
        let (width, height) = (Double(cell.width + Self.margin), Double(cell.height + Self.rowSpace))
        let suitable = (Double(max(count, 1)) * height * Self.shape / width).squareRoot().rounded()
        // With few empty places in the last row.
        let limit = max(count, 1)
        let near = [0, 1, -1].map { max(Int(suitable) + $0, 1) }
        let fullest = near.min { $0 - 1 - (limit - 1) % $0 < $1 - 1 - (limit - 1) % $1 } ?? 1
        self.columns = min(columns ?? fullest, limit)
    }

    private static var rowSpace: Int { margin + textHeight + lineHeight }
    private var rows: Int { (count + columns - 1) / columns }

    var size: PixelSize {
        let width = columns * (cell.width + Self.margin) + Self.margin
        let height = rows * (cell.height + Self.rowSpace) + Self.margin
        return PixelSize(width: width + width % 2, height: height + height % 2)
    }

    /// Whether the sheet is too large for JPEG and PNG.
    var isTooLarge: Bool {
        size.longEdge > Self.longestEdge || size.width * size.height > Demuxer.largestPicture
    }

    /// - Parameter pictures: each in the format of key photos, of the size of a cell.
    func draw(_ frames: [FrameSheet.Picture], _ pictures: [[[UInt8]]]) throws -> Frame {
        var canvas = SheetCanvas(size)
        for (index, frame) in frames.enumerated() where index < pictures.count {
            let x = Self.margin + index % columns * (cell.width + Self.margin)
            let y = Self.margin + index / columns * (cell.height + Self.rowSpace)
            if frame.isSuggested {
                let border = Self.frameWidth
                let size = PixelSize(width: cell.width + 2 * border, height: cell.height + 2 * border)
                canvas.fill(size, x: x - border, y: y - border, .suggested)
            }
            canvas.draw(pictures[index], cell, x: x, y: y)
            let below = y + cell.height + (frame.isSuggested ? Self.frameWidth : 0)
            if frame.isInWindow {
                // Without a gap to the next picture.
                let line = PixelSize(width: cell.width + Self.margin, height: Self.lineHeight)
                canvas.fill(line, x: x, y: below + 2, .window)
            }
            canvas.draw(
                frame.still, centre: x + cell.width / 2, y: y + cell.height + Self.lineHeight + 10, scale: Self.scale,
                frame.isSuggested ? .suggested : .text)
        }
        return try canvas.picture()
    }
}
