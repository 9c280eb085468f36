package import Bytes
import ISOBMFF
package import MediaModel

/// `colr`: the colour space of a video (QuickTime File Format, "Color parameter atoms"; ISO/IEC 14496-12,
/// 12.1.5). In a visual sample entry.
package struct ColorBox: Box {
    package static var type: FourCC { "colr" }

    package enum Parameters: Sendable, Hashable {
        /// `nclc`, of QuickTime movies: code points without a range flag, so `isFullRange` is false.
        case quickTime(ColorDescription)
        /// `nclx`, of ISO files: code points and the range.
        case iso(ColorDescription)
        /// Another kind, such as an ICC profile, with its data.
        case other(FourCC, [UInt8])
    }

    package var parameters: Parameters

    package init(_ parameters: Parameters) {
        self.parameters = parameters
    }

    /// The code points, if the box holds any.
    package var description: ColorDescription? {
        switch parameters {
        case .quickTime(let description), .iso(let description): description
        case .other: nil
        }
    }
}

extension ColorBox {
    private static let quickTimeKind: FourCC = "nclc"
    private static let isoKind: FourCC = "nclx"

    package init(from reader: inout ByteReader) throws(ParseError) {
        let kind = try reader.fourCC()
        guard kind == Self.quickTimeKind || kind == Self.isoKind else {
            parameters = .other(kind, reader.rest())
            return
        }
        var description = ColorDescription(
            primaries: try reader.integer(), transfer: try reader.integer(), matrix: try reader.integer(),
            isFullRange: false)
        if kind == Self.quickTimeKind {
            parameters = .quickTime(description)
        } else {
            description.isFullRange = try reader.integer(UInt8.self) & 0x80 != 0
            parameters = .iso(description)
        }
    }

    package func write(to writer: inout ByteWriter) {
        switch parameters {
        case .quickTime(let description):
            writer.fourCC(Self.quickTimeKind)
            Self.write(description, to: &writer)
        case .iso(let description):
            writer.fourCC(Self.isoKind)
            Self.write(description, to: &writer)
            writer.integer(UInt8(description.isFullRange ? 0x80 : 0))
        case .other(let kind, let data):
            writer.fourCC(kind)
            writer.append(data)
        }
    }

    private static func write(_ description: ColorDescription, to writer: inout ByteWriter) {
        writer.integer(description.primaries)
        writer.integer(description.transfer)
        writer.integer(description.matrix)
    }
}
