import CHeif
package import MediaModel
import StillImage

/// The primary image of a HEIF file (HEIC, AVIF), decoded and upright, with the file's `clap`, `irot` and `imir`
/// applied.
package struct HeifPicture: Sendable {
    /// The meaning of the planes, and their subsampling.
    package enum Layout: Sendable, Hashable {
        case monochrome
        case yuv420, yuv422, yuv444
        /// Green, blue, red.
        case gbr
    }

    package let size: PixelSize
    /// The coded layout, except that YCbCr other than JFIF's (BT.601 in full range) is converted to RGB.
    package let layout: Layout
    /// From 8 to 16; above 8, samples are 16-bit integers in the machine's order.
    package let bitDepth: Int
    /// In the order of `layout`, row after row without gaps. Chroma sizes are rounded up.
    package let planes: [[UInt8]]
    /// The alpha plane, of the same size and depth; nil when the picture is opaque.
    package let alpha: [UInt8]?
    /// Whether the planes are already multiplied by alpha.
    package let isPremultiplied: Bool
    package let color: ColorDescription
    /// The unchanged profile; if there is one, only matrix and range of `color` apply.
    package let iccProfile: [UInt8]?

    /// - Parameters:
    ///   - file: the contents of the whole file.
    ///   - edgeLimit: the largest width and height, in pixels.
    package init(_ file: [UInt8], edgeLimit: Int) throws(HeifError) {
        // libheif reports what is wrong with a file that cannot be read here.
        let needed = (try? HEIF.pictureAlone(file)) ?? file
        let boxes = HeifBoxes(needed)
        let context = try HeifContext.open(needed, edgeLimit: edgeLimit)
        let item = try context.primaryImage()
        let declared = item.size
        guard declared.longEdge <= edgeLimit else {
            throw HeifError("the picture is \(declared) pixels large; the limit is \(edgeLimit) by \(edgeLimit)")
        }
        var pixels = try item.decoded(Self.native(boxes.chroma ?? heif_chroma_444, item.color))
        // The file's description comes first: libheif 1.19 and newer tag what they have converted as sRGB.
        let coded = pixels.color
        if pixels.space == heif_colorspace_YCbCr, coded?.isJFIF == false {
            // Only the coded picture has a color description, not the file's boxes.
            pixels = try item.decoded(Self.rgb)
        }
        let layout = try Self.layout(pixels)
        let channels = Self.channels(layout)
        size = pixels.size(channels[0])
        guard size.shortEdge > 0, size.longEdge <= edgeLimit else {
            throw HeifError("the picture decodes to \(size) pixels")
        }
        bitDepth = pixels.bitDepth(channels[0])
        guard (8...16).contains(bitDepth) else { throw HeifError("samples of \(bitDepth) bits are not supported") }
        let chromaSize = Self.chromaSize(layout, size)
        let sizes = [size] + channels.dropFirst().map { _ in chromaSize }
        for (index, channel) in channels.enumerated() {
            let (expected, found) = (sizes[index], pixels.size(channel))
            // libheif 1.19 crops chroma to a row and a column too many.
            guard (expected.width...expected.width + 1).contains(found.width),
                (expected.height...expected.height + 1).contains(found.height), pixels.bitDepth(channel) == bitDepth
            else {
                throw HeifError("its planes are of different sizes or depths")
            }
        }
        planes = try zip(channels, sizes).map { (channel, size) throws(HeifError) in
            try pixels.plane(channel, upTo: size)
        }
        alpha = try Self.alpha(pixels, size, bitDepth)
        isPremultiplied = item.isPremultiplied
        color = (item.color ?? coded ?? Self.untagged).adapted(to: layout)
        iccProfile = try item.iccProfile
        self.layout = layout
    }

    /// Without `colr` of type nclx a picture is sRGB in the YCbCr of JFIF (ISO/IEC 23000-22, 7.3.6.4).
    private static let untagged = ColorDescription(primaries: 1, transfer: 13, matrix: 6, isFullRange: true)

    private static let rgb = (heif_colorspace_RGB, heif_chroma_444)

    /// The layout to ask libheif for. Version 1.15 converts all YCbCr to that of JFIF but leaves its tags unchanged.
    /// Only JFIF's YCbCr and gray are certain to be returned as coded; everything else is only certain as RGB.
    private static func native(_ chroma: heif_chroma, _ color: ColorDescription?) -> (heif_colorspace, heif_chroma) {
        guard chroma != HeifChromaMonochrome else { return (heif_colorspace_monochrome, chroma) }
        return color?.isJFIF == false ? rgb : (heif_colorspace_YCbCr, chroma)
    }

    private static func layout(_ pixels: borrowing HeifPixels) throws(HeifError) -> Layout {
        switch (pixels.space, pixels.chroma) {
        case (heif_colorspace_monochrome, _), (heif_colorspace_YCbCr, HeifChromaMonochrome): return .monochrome
        case (heif_colorspace_YCbCr, heif_chroma_420): return .yuv420
        case (heif_colorspace_YCbCr, heif_chroma_422): return .yuv422
        case (heif_colorspace_YCbCr, heif_chroma_444): return .yuv444
        case (heif_colorspace_RGB, heif_chroma_444): return .gbr
        case (let space, let chroma):
            throw HeifError("its layout is not supported (libheif's \(space.rawValue), \(chroma.rawValue))")
        }
    }

    private static func channels(_ layout: Layout) -> [heif_channel] {
        switch layout {
        case .monochrome: [heif_channel_Y]
        case .yuv420, .yuv422, .yuv444: [heif_channel_Y, heif_channel_Cb, heif_channel_Cr]
        case .gbr: [heif_channel_G, heif_channel_B, heif_channel_R]
        }
    }

    private static func chromaSize(_ layout: Layout, _ size: PixelSize) -> PixelSize {
        switch layout {
        case .yuv420: PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
        case .yuv422: PixelSize(width: (size.width + 1) / 2, height: size.height)
        case .monochrome, .yuv444, .gbr: size
        }
    }

    private static func alpha(
        _ pixels: borrowing HeifPixels, _ size: PixelSize, _ bitDepth: Int
    ) throws(HeifError) -> [UInt8]? {
        guard pixels.has(heif_channel_Alpha) else { return nil }
        guard pixels.size(heif_channel_Alpha) == size, pixels.bitDepth(heif_channel_Alpha) == bitDepth else {
            throw HeifError("its transparency is of another size or depth than its colors, which is not supported")
        }
        return try pixels.plane(heif_channel_Alpha, upTo: size)
    }
}

extension ColorDescription {
    /// Whether YCbCr is BT.601's in full range.
    fileprivate var isJFIF: Bool { (matrix == 5 || matrix == 6) && isFullRange }

    /// With matrix and range of RGB if the layout is RGB, however the picture was coded.
    fileprivate func adapted(to layout: HeifPicture.Layout) -> ColorDescription {
        layout == .gbr
            ? ColorDescription(primaries: primaries, transfer: transfer, matrix: 0, isFullRange: true) : self
    }
}

extension HeifPicture {
    /// The version of libheif: `1.15.1`.
    package static var libraryVersion: String { heif_get_version().map { String(cString: $0) } ?? "unknown" }

    /// Loads decoder plugins, which otherwise happens with the first picture.
    package static func loadPlugins() { _ = heif_init(nil) }
}
