package import Bytes
package import MediaModel

/// The properties that determine the display of an item (ISO/IEC 23008-12, 6.5).
struct ItemDisplay: Sendable {
    /// The stored size, before any transformation.
    private(set) var size: PixelSize?
    /// `irot` and `imir`, applied in order.
    private(set) var orientation = Orientation.upright
    /// The size after cropping by `clap`, on the axes of the stored picture.
    private(set) var cleanAperture: PixelSize?
    /// The code points of `colr`; nil if there are none.
    private(set) var color: ColorDescription?

    mutating func read(_ type: FourCC, _ payload: ByteReader) throws(ParseError) {
        var content = payload
        switch type {
        case "ispe":
            try content.skip(4)  // version and flags
            size = PixelSize(
                width: Int(try content.integer(UInt32.self)), height: Int(try content.integer(UInt32.self)))
        case "irot", "imir": orientation = orientation.followed(by: try Self.orientation(type, content))
        case "clap":
            let numbers = try content.table(count: 4, entrySize: 4) { reader throws(ParseError) in
                Int(try reader.integer(UInt32.self))
            }
            guard numbers.allSatisfy({ $0 > 0 }) else { return }
            let shown = PixelSize(width: numbers[0] / numbers[1], height: numbers[2] / numbers[3])
            // It is that of the picture as the properties before have turned it.
            cleanAperture = orientation.swapsAxes ? shown.transposed : shown
        case "colr": color = try Self.color(content) ?? color
        default:
            return
        }
    }

    /// What a property `irot` or `imir` does.
    static func orientation(_ type: FourCC, _ payload: ByteReader) throws(ParseError) -> Orientation {
        var content = payload
        let value = try content.integer(UInt8.self)
        // 0 exchanges top and bottom, 1 left and right, as in the second edition, libheif and libavif.
        guard type == "irot" else { return value & 1 == 0 ? .flipped : .mirrored }
        var orientation = Orientation.upright
        for _ in 0..<value & 3 { orientation = orientation.followed(by: .rotated90Counterclockwise) }
        return orientation
    }

    /// The code points of a property `colr`; nil for one with an ICC profile, which may be beside it (ISO/IEC 14496-12,
    /// 12.1.5).
    static func color(_ payload: ByteReader) throws(ParseError) -> ColorDescription? {
        var content = payload
        guard try content.fourCC() == "nclx" else { return nil }
        return ColorDescription(
            primaries: try content.integer(UInt16.self), transfer: try content.integer(UInt16.self),
            matrix: try content.integer(UInt16.self), isFullRange: try content.integer(UInt8.self) & 0x80 != 0)
    }

    /// The part of a picture that `clap` shows (ISO/IEC 14496-12, 12.1.4), in whole pixels; nil if it is not within it.
    static func crop(_ payload: ByteReader, of size: PixelSize) throws(ParseError) -> PixelRectangle? {
        var content = payload
        var values: [Double] = []
        for isSigned in [false, false, true, true] {
            let numerator = try content.integer(UInt32.self)
            let denominator = try content.integer(UInt32.self)
            guard denominator > 0 else { return nil }
            values.append(
                (isSigned ? Double(Int32(bitPattern: numerator)) : Double(numerator)) / Double(denominator))
        }
        let (width, height) = (values[0].rounded(), values[1].rounded())
        let x = (values[2] + (Double(size.width) - width) / 2).rounded(.down)
        let y = (values[3] + (Double(size.height) - height) / 2).rounded(.down)
        guard let width = Int(exactly: width), let height = Int(exactly: height), let x = Int(exactly: x),
            let y = Int(exactly: y)
        else { return nil }
        let rectangle = PixelRectangle(x: x, y: y, size: PixelSize(width: width, height: height))
        return rectangle.fits(in: size) ? rectangle : nil
    }
}

extension Orientation {
    /// The result of `irot` and `imir` among other boxes, in their order; nil without any of them.
    ///
    /// - Parameter boxes: the type and the payload of each.
    package init?(transformations boxes: [(type: FourCC, payload: ByteReader)]) {
        let boxes = boxes.filter { ["irot", "imir"].contains($0.type) }
        var display = ItemDisplay()
        do throws(ParseError) {
            for box in boxes { try display.read(box.type, box.payload) }
        } catch {
            return nil
        }
        guard !boxes.isEmpty else { return nil }
        self = display.orientation
    }
}
