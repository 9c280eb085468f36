import CFFmpeg
package import MediaModel

extension Frame {
    /// The luminance of linear light with the primaries of BT.709, at half the size, rounded up: each value is the mean of up to
    /// four pixels.
    ///
    /// - Parameters:
    ///   - place: where the picture is on a black canvas.
    ///   - canvas: the size of the canvas.
    /// - Throws: `LibavError` for a picture in another format than `gbrpf32le`, or of another size than `place`.
    package func halvedLuminance(at place: PixelRectangle, of canvas: PixelSize) throws(LibavError) -> [Float] {
        let (width, height) = ((canvas.width + 1) / 2, (canvas.height + 1) / 2)
        let planes = planes
        guard pixelFormat.name == "gbrpf32le", size == place.size, place.fits(in: canvas) else {
            throw LibavError(call: "luminance", code: AVErrorInvalidArgument)
        }
        var sums = [Float](repeating: 0, count: width * height)
        for row in 0..<place.height {
            func line(_ plane: Int) -> UnsafeBufferPointer<Float>? {
                planes[plane].start.map {
                    UnsafeBufferPointer(
                        start: UnsafeRawPointer($0 + row * planes[plane].stride).assumingMemoryBound(to: Float.self),
                        count: place.width)
                }
            }
            // libav's order is green, blue, red.
            guard let green = line(0), let blue = line(1), let red = line(2) else {
                throw LibavError(call: "luminance", code: AVErrorInvalidArgument)
            }
            let start = (place.y + row) / 2 * width
            for column in 0..<place.width {
                sums[start + (place.x + column) / 2] +=
                    0.2126 * red[column] + 0.7152 * green[column] + 0.0722 * blue[column]
            }
        }
        for row in 0..<height {
            let rows: Float = 2 * row + 1 < canvas.height ? 2 : 1
            for column in 0..<width {
                sums[row * width + column] /= rows * (2 * column + 1 < canvas.width ? 2 : 1)
            }
        }
        return sums
    }
}
