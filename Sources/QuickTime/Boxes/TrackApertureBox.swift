package import ISOBMFF

/// `tapt`: the sizes of the picture in its three aperture modes (QuickTime File Format, "Track aperture mode
/// dimensions atom"). In `trak`.
package struct TrackApertureBox: Box {
    package static var type: FourCC { "tapt" }

    /// `clef`: pixel aspect and clean aperture applied.
    package var cleanAperture: FixedSize?
    /// `prof`: pixel aspect applied.
    package var productionAperture: FixedSize?
    /// `enof`: as encoded.
    package var encodedPixels: FixedSize?
    package var others: [OpaqueBox] = []

    /// All three are the same for square pixels without a clean aperture.
    package init(_ size: FixedSize) {
        cleanAperture = size
        productionAperture = size
        encodedPixels = size
    }
}

extension TrackApertureBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        while let child = try reader.nextBox() {
            switch child.type {
            case "clef" where cleanAperture == nil: cleanAperture = try Self.size(child)
            case "prof" where productionAperture == nil: productionAperture = try Self.size(child)
            case "enof" where encodedPixels == nil: encodedPixels = try Self.size(child)
            default: others.append(OpaqueBox(child))
            }
        }
    }

    private static func size(_ child: ChildBox) throws(ParseError) -> FixedSize {
        var reader = child.payload
        _ = try reader.fullBoxHeader()
        let size = try FixedSize(from: &reader)
        try reader.finishPadded()
        return size
    }

    package func write(to writer: inout ByteWriter) {
        let dimensions: [(FourCC, FixedSize?)] = [
            ("clef", cleanAperture), ("prof", productionAperture), ("enof", encodedPixels),
        ]
        for case (let type, let size?) in dimensions {
            writer.box(type) { box in
                box.fullBoxHeader()
                size.write(to: &box)
            }
        }
        writer.boxes(others)
    }
}
