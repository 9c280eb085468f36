import FFmpegKit
import MediaModel
import StillImage

/// The planes of a picture that consists of tiles, and that can be cropped and turned.
struct TiledPicture {
    /// One component of the picture.
    private struct Plane {
        var size: PixelSize
        var samples: [UInt8]
        /// Pixels of the picture for each sample.
        let spacing: PixelSize
        let sampleBytes: Int
    }

    /// The tiles do not form the picture.
    struct Misfit: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private var planes: [Plane]
    private var size: PixelSize
    private let formatName: String
    let color: ColorDescription

    /// Decodes the tiles one after the other.
    ///
    /// - Throws: `LibavError`; `Misfit`.
    init(_ tiles: HEIFTiles, of file: [UInt8], edgeLimit: Int) throws {
        let pixelLimit = edgeLimit * edgeLimit
        let codec: CodedPictureDecoder.Codec = tiles.codec == .hevc ? .hevc : .av1
        var decoder: (configuration: [UInt8], CodedPictureDecoder)?
        var mosaic: Mosaic?
        for (index, tile) in tiles.tiles.enumerated() {
            if decoder?.configuration != tile.configuration {
                decoder = (
                    tile.configuration,
                    try CodedPictureDecoder(codec, configuration: tile.configuration, pixelLimit: pixelLimit)
                )
            }
            guard let frame = try decoder?.1.decode(tile.ranges.flatMap { file[$0] }) else { break }
            var canvas = try mosaic ?? Mosaic(tiles, of: frame, edgeLimit: edgeLimit)
            mosaic = nil
            try canvas.add(frame, column: index % tiles.columns, row: index / tiles.columns)
            mosaic = canvas
        }
        guard let mosaic else { throw Misfit("there are no tiles") }
        (planes, size, formatName) = (mosaic.planes, mosaic.size, mosaic.formatName)
        color = tiles.color ?? mosaic.codedColor
        for transformation in tiles.transformations {
            switch transformation {
            case .crop(let rectangle): crop(to: rectangle)
            case .turn(let orientation): try turn(by: orientation)
            }
        }
    }

    func frame() throws(LibavError) -> Frame {
        try Frame(size: size, format: formatName, color: color, planes: planes.map(\.samples))
    }
}

extension TiledPicture {
    /// The picture while its tiles are decoded.
    private struct Mosaic {
        var planes: [Plane]
        let size: PixelSize
        let formatName: String
        let codedColor: ColorDescription
        private let tileSize: PixelSize
        private let format: PixelFormat

        init(_ tiles: HEIFTiles, of first: Frame, edgeLimit: Int) throws {
            let format = first.pixelFormat
            let size = tiles.size ?? first.size
            let rows = tiles.tiles.count / tiles.columns
            guard size.shortEdge > 0, size.longEdge <= edgeLimit else {
                throw Misfit("the picture is \(size) pixels large")
            }
            guard first.color.matrix != 0 else { throw Misfit("the picture is coded as RGB") }
            guard first.size.width * tiles.columns >= size.width, first.size.height * rows >= size.height else {
                throw Misfit("the tiles do not fill the picture")
            }
            let spacings =
                [PixelSize(width: 1, height: 1)]
                + (format.isGray ? [] : [format.chromaSpacing, format.chromaSpacing])
            let sampleBytes = format.bitsPerComponent > 8 ? 2 : 1
            planes = spacings.map { spacing in
                let plane = size.dividedRoundingUp(by: spacing)
                return Plane(
                    size: plane, samples: [UInt8](repeating: 0, count: plane.width * plane.height * sampleBytes),
                    spacing: spacing, sampleBytes: sampleBytes)
            }
            (self.size, self.format, tileSize) = (size, format, first.size)
            formatName = format.isFullRangeByName ? "yuv" + format.name.dropFirst(4) : format.name
            // As `HeifPicture`: without any description, a picture is sRGB in the YCbCr of JFIF.
            codedColor =
                first.color.matrix == ColorDescription.unspecified
                ? ColorDescription(primaries: 1, transfer: 13, matrix: 6, isFullRange: true) : first.color
        }

        mutating func add(_ frame: Frame, column: Int, row: Int) throws {
            guard frame.size == tileSize, frame.pixelFormat == format else {
                throw Misfit("the tiles differ in size or format")
            }
            let sources = format.isGray ? [try frame.lumaPlane()] : try frame.colorPlanes()
            for (index, source) in sources.enumerated() {
                let (spacing, bytes) = (planes[index].spacing, planes[index].sampleBytes)
                let tile = tileSize.dividedRoundingUp(by: spacing)
                let (x, y) = (column * tileSize.width / spacing.width, row * tileSize.height / spacing.height)
                let whole = planes[index].size
                let (width, height) = (min(tile.width, whole.width - x), min(tile.height, whole.height - y))
                guard width > 0, height > 0 else { continue }
                for line in 0..<height {
                    let target = ((y + line) * whole.width + x) * bytes
                    let start = line * tile.width * bytes
                    planes[index].samples.replaceSubrange(
                        target..<target + width * bytes, with: source[start..<start + width * bytes])
                }
            }
        }
    }

    private mutating func crop(to rectangle: PixelRectangle) {
        size = rectangle.size
        for index in planes.indices {
            let plane = planes[index]
            let new = rectangle.size.dividedRoundingUp(by: plane.spacing)
            let x = min(rectangle.x / plane.spacing.width, plane.size.width - new.width)
            let y = min(rectangle.y / plane.spacing.height, plane.size.height - new.height)
            planes[index].samples = (y..<y + new.height).flatMap { row in
                let start = (row * plane.size.width + x) * plane.sampleBytes
                return plane.samples[start..<start + new.width * plane.sampleBytes]
            }
            planes[index].size = new
        }
    }

    private mutating func turn(by orientation: Orientation) throws(Misfit) {
        if orientation.swapsAxes {
            // The chroma of 4:2:2 has half of the columns, and would have half of the rows.
            guard planes.allSatisfy({ $0.spacing.width == $0.spacing.height }) else {
                throw Misfit("chroma of \(formatName) cannot be turned on its side")
            }
            size = size.transposed
        }
        // A point (x, y) is shown at (a·x + c·y, b·x + d·y), so the inverse finds the source of each pixel.
        let (a, b, c, d) = orientation.inverse.matrix
        for index in planes.indices {
            let plane = planes[index]
            let old = plane.size
            let new = orientation.swapsAxes ? old.transposed : old
            let bytes = plane.sampleBytes
            let (startX, startY) = (a + c < 0 ? old.width - 1 : 0, b + d < 0 ? old.height - 1 : 0)
            planes[index].samples = [UInt8](unsafeUninitializedCapacity: plane.samples.count) { buffer, count in
                var place = 0
                for y in 0..<new.height {
                    for x in 0..<new.width {
                        let source = ((startY + b * x + d * y) * old.width + startX + a * x + c * y) * bytes
                        for byte in 0..<bytes { buffer[place + byte] = plane.samples[source + byte] }
                        place += bytes
                    }
                }
                count = place
            }
            planes[index].size = new
        }
    }
}

extension PixelSize {
    fileprivate func dividedRoundingUp(by spacing: PixelSize) -> PixelSize {
        PixelSize(
            width: (width + spacing.width - 1) / spacing.width, height: (height + spacing.height - 1) / spacing.height)
    }
}
