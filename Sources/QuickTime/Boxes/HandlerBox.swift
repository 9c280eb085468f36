package import Bytes
import ISOBMFF
package import MediaModel

/// `hdlr`: the kind of media or data in its parent (QuickTime File Format, "Handler reference atoms";
/// ISO/IEC 14496-12, 8.4.3). In `mdia`, `minf` and `meta`.
package struct HandlerBox: Box {
    package static var type: FourCC { "hdlr" }

    /// `mhlr` media, `dhlr` data; zero in ISO files.
    package var componentType: FourCC
    /// `vide`, `soun`, `meta`, `mdta`, …
    package var subtype: FourCC
    /// Zero in ISO files.
    package var manufacturer: FourCC
    package var flags: UInt32 = 0
    package var flagsMask: UInt32 = 0
    /// The name as stored: a Pascal string in QuickTime movies, a C string in ISO files.
    package var nameField: [UInt8]

    /// The name, decoded from either form.
    package var name: FileText {
        guard let first = nameField.first else { return "" }
        let rest = nameField.dropFirst()
        let isPascal = componentType.rawValue != 0 ? Int(first) <= rest.count : Int(first) == rest.count
        let text = isPascal ? rest.prefix(Int(first)) : nameField.prefix { $0 != 0 }
        return FileText(text)
    }

    /// A handler as Apple's writers write it, with a name of at most 255 bytes.
    private init(componentType: FourCC, subtype: FourCC, flags: UInt32 = 0, name: FileText) {
        self.componentType = componentType
        self.subtype = subtype
        self.manufacturer = "appl"
        self.flags = flags
        self.nameField = pascalString(name)
    }

    static let video = HandlerBox(componentType: "mhlr", subtype: "vide", name: "Core Media Video")
    static let sound = HandlerBox(componentType: "mhlr", subtype: "soun", name: "Core Media Audio")
    static let timedMetadata = HandlerBox(componentType: "mhlr", subtype: "meta", flags: 1, name: "Core Media Metadata")
    /// The data handler in `minf`: the data is in files.
    static let data = HandlerBox(componentType: "dhlr", subtype: "alis", name: "Core Media Data Handler")

    /// The handler of keys and values in `meta`, without component type, manufacturer and name.
    static let metadata = {
        var handler = HandlerBox(componentType: FourCC(rawValue: 0), subtype: "mdta", name: "")
        handler.manufacturer = FourCC(rawValue: 0)
        handler.nameField = [0, 0]
        return handler
    }()
}

extension HandlerBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        _ = try reader.fullBoxHeader()
        componentType = try reader.fourCC()
        subtype = try reader.fourCC()
        manufacturer = try reader.fourCC()
        flags = try reader.integer()
        flagsMask = try reader.integer()
        nameField = reader.rest()
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader()
        writer.fourCC(componentType)
        writer.fourCC(subtype)
        writer.fourCC(manufacturer)
        writer.integer(flags)
        writer.integer(flagsMask)
        writer.append(nameField)
    }
}

/// The bytes of `text`, cut to 255 bytes, after a byte with its length.
func pascalString(_ text: FileText) -> [UInt8] {
    let bytes = text.bytes.prefix(255)
    return [UInt8(bytes.count)] + bytes
}
