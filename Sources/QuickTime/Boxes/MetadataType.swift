/// The type of a value (QuickTime File Format, "Well-known types").
package struct MetadataType: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let utf8 = MetadataType(rawValue: 1)
    package static let utf16 = MetadataType(rawValue: 2)
    /// Big-endian, 1, 2, 3, 4 or 8 bytes.
    package static let signedInteger = MetadataType(rawValue: 21)
    package static let unsignedInteger = MetadataType(rawValue: 22)
    package static let float32 = MetadataType(rawValue: 23)
    package static let int8 = MetadataType(rawValue: 65)
    package static let dimensionsOfFloat32 = MetadataType(rawValue: 71)
    /// A matrix of 3×3 float64, row by row. Type 79 is another one, of affine transforms.
    package static let perspectiveTransform = MetadataType(rawValue: 83)
}

extension MetadataType {
    /// How the bytes of a value are read; all numbers are big-endian.
    enum Layout {
        case text, signed, unsigned, float32, float64, image(String), data
    }

    /// The type's name and how to read it; nil for a number that is not among the well-known types.
    private var known: (name: String, layout: Layout)? {
        switch rawValue {
        case 0: ("bytes", .data)
        case 1, 4: ("UTF-8", .text)
        case 2, 5: ("UTF-16", .text)
        case 13: ("JPEG", .image("JPEG"))
        case 14: ("PNG", .image("PNG"))
        case 21: ("signed integer", .signed)
        case 22: ("unsigned integer", .unsigned)
        case 23: ("float32", .float32)
        case 24: ("float64", .float64)
        case 27: ("BMP", .image("BMP"))
        case 65: ("int8", .signed)
        case 66: ("int16", .signed)
        case 67: ("int32", .signed)
        case 70: ("point of float32", .float32)
        case 71: ("dimensions of float32", .float32)
        case 72: ("rectangle of float32", .float32)
        case 74: ("int64", .signed)
        case 75: ("uint8", .unsigned)
        case 76: ("uint16", .unsigned)
        case 77: ("uint32", .unsigned)
        case 78: ("uint64", .unsigned)
        case 79: ("affine transform of float64", .float64)
        case 80: ("polygon of float32", .float32)
        case 81: ("polyline of float32", .float32)
        case 82: ("color of float32", .float32)
        case 83: ("3×3 matrix of float64", .float64)
        default: nil
        }
    }

    var layout: Layout { known?.layout ?? .data }
}

extension MetadataType: CustomStringConvertible {
    /// `int8`, `UTF-8`; `type 99` for one that has no name.
    package var description: String { known?.name ?? "type \(rawValue)" }
}
