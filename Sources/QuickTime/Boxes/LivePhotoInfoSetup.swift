package import Bytes
import ISOBMFF
package import MediaModel

/// `setu`: what a camera states about all records of a live-photo-info track. In the key of the track's sample entry.
package struct LivePhotoInfoSetup: Sendable, Hashable {
    package static let type: FourCC = "setu"
    private static let configurationType: FourCC = "cfgv"
    private static let dimensionsType: FourCC = "dims"

    /// The size of the pictures to which the records refer, as stored; nil without `dims`.
    package var dimensions: PixelSize?
    /// A binary property list with the version of the records, and those of the camera's software; nil without `cfgv`.
    package var configuration: [UInt8]?

    /// The setup of records of pictures of this size.
    package init(dimensions: PixelSize) {
        self.dimensions = dimensions
        configuration = Self.firstVersion
    }

    /// A binary property list with the dictionary `{LivePhotoMetadataSetupDataVersion: 1}`.
    private static let firstVersion: [UInt8] =
        Array("bplist00".utf8)
        // A dictionary of one entry, whose key is object 1 and whose value is object 2.
        + [0xD1, 0x01, 0x02]
        // ASCII of 33 characters.
        + [0x5F, 0x10, 0x21] + Array("LivePhotoMetadataSetupDataVersion".utf8)
        // An integer of one byte.
        + [0x10, 0x01]
        // Where these three objects begin.
        + [0x08, 0x0B, 0x2F]
        // Six unused bytes, then the sizes of an offset and of an object's number.
        + [0, 0, 0, 0, 0, 0, 1, 1]
        // The number of objects, the number of the first one, and where the offsets begin.
        + [0, 0, 0, 0, 0, 0, 0, 3] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0x31]
}

extension LivePhotoInfoSetup {
    /// The setup in a key of a sample entry; nil if it has none.
    package init?(_ key: TimedMetadataSampleEntry.Key) throws(ParseError) {
        guard let box = key.others.first(where: { $0.type == Self.type }) else { return nil }
        var reader = box.reader
        while let child = try reader.nextBox() {
            var payload = child.payload
            switch child.type {
            case Self.configurationType: configuration = payload.rest()
            case Self.dimensionsType:
                dimensions = PixelSize(
                    width: Int(try payload.integer(UInt32.self)), height: Int(try payload.integer(UInt32.self)))
            default: break
            }
        }
    }

    package var box: OpaqueBox {
        OpaqueBox(Self.type) { box in
            if let configuration { box.box(OpaqueBox(type: Self.configurationType, payload: configuration)) }
            if let dimensions {
                box.box(Self.dimensionsType) { box in
                    box.integer(UInt32(clamping: dimensions.width))
                    box.integer(UInt32(clamping: dimensions.height))
                }
            }
        }
    }
}
