import Bytes
import ISOBMFF
import MediaModel

/// Writes a short description of each box. Boxes must be passed in file order, because some depend on earlier ones.
struct BoxAnnotator: Sendable {
    /// The kind of media of the track being read.
    private(set) var handler: FourCC?
    /// The keys to which the items of a list refer.
    private var keys: MetadataKeysBox?

    private static let shownEntries = 4
    private static let shownCharacters = 100

    /// The types of boxes with a description, except those whose meaning depends on the enclosing boxes.
    static let knownTypes: Set<FourCC> = [
        "ftyp", "styp", "mvhd", "tkhd", "mdhd", "hdlr", "elst", "stts", "ctts", "stss", "stsc", "stsz", "stz2", "stco",
        "co64", "keys", "data", "trex", "mfhd", "tfhd", "tfdt", "trun", "colr", "pasp", "frma", "infe", "pitm",
        "ispe", "clef", "prof", "enof",
    ]

    /// - Parameters:
    ///   - box: the box with at least the beginning of its payload.
    ///   - path: the types of the enclosing boxes, the outermost first.
    /// - Returns: an empty string for a box that is unknown or cannot be read.
    mutating func annotation(of box: ChildBox, in path: [FourCC]) -> String {
        let text = (try? describe(box, path)) ?? nil ?? ""
        return FileText(text).shown(Self.shownCharacters)
    }

    private mutating func describe(_ box: ChildBox, _ path: [FourCC]) throws -> String? {
        var reader = box.payload
        switch (box.type, path.last) {
        case (_, SampleDescriptionBox.type): return try sampleEntry(box)
        case (_, TrackReferenceBox.type):
            let trackIDs = try reader.table(count: reader.remaining / 4, entrySize: 4) { (entry) throws(ParseError) in
                try entry.integer(UInt32.self)
            }
            return "to track \(Self.list(trackIDs))"
        case (let index, MetadataItemListBox.type):
            return keys?[index.rawValue].map { "key \(index.rawValue), \($0.name)" }
        case (let localID, MetadataKeysBox.type) where path.contains(TimedMetadataSampleEntry.type):
            return "local id \(localID.rawValue)"
        case (HandlerBox.type, let parent):
            let box: HandlerBox = try box.read()
            if parent == MediaBox.type { handler = box.subtype }
            return box.name.isEmpty ? "\(box.subtype)" : "\(box.subtype) “\(box.name)”"
        case (MetadataKeysBox.type, MetadataBox.type):
            let box: MetadataKeysBox = try box.read()
            keys = box
            return counted(box.keys.count, "key")
        case ("data", _):
            let value = try MetadataValue(from: &reader)
            return "\(value.type): \(value.content)"
        case ("keyd", _): return try MetadataKey(from: &reader).name.description
        case ("dtyp", _): return try TimedMetadataSampleEntry.DataType(from: &reader).description
        case ("ftyp", _), ("styp", _):
            let box = try FileTypeBox(from: &reader)
            return "\(Self.brand(box.majorBrand)), compatible with \(Self.list(box.compatibleBrands.map(Self.brand)))"
        default: return try Self.header(box) ?? Self.table(box) ?? Self.fragment(box) ?? Self.picture(box)
        }
    }

    private func sampleEntry(_ box: ChildBox) throws(ParseError) -> String {
        var reader = box.payload
        switch handler {
        case HandlerBox.video.subtype:
            let entry = try VisualSampleEntry(type: box.type, from: &reader)
            return "\(try SampleFormat(entry).name), \(entry.width)×\(entry.height)"
        case HandlerBox.sound.subtype:
            let entry = try AudioSampleEntry(type: box.type, from: &reader)
            let rate = "\(decimal(entry.rate, places: 3)) Hz"
            return "\(try SampleFormat(entry).name), \(rate), \(counted(entry.channels, "channel"))"
        default: return ""
        }
    }

    /// Describes boxes with times.
    private static func header(_ box: ChildBox) throws(ParseError) -> String? {
        func ticks(_ duration: UInt64?) -> String { duration.map { counted($0, "tick") } ?? "unknown duration" }
        switch box.type {
        case MovieHeaderBox.type:
            let box: MovieHeaderBox = try box.read()
            return "\(ticks(box.duration)) of 1/\(box.timescale) s"
        case MediaHeaderBox.type:
            let box: MediaHeaderBox = try box.read()
            return "\(ticks(box.duration)) of 1/\(box.timescale) s"
        case TrackHeaderBox.type:
            let box: TrackHeaderBox = try box.read()
            return "track \(box.trackID), \(ticks(box.duration))"
        case EditListBox.type:
            let box: EditListBox = try box.read()
            return list(
                box.entries.map { edit in
                    edit.mediaTime.map { "\(ticks(edit.duration)) from \($0)" } ?? "\(ticks(edit.duration)) empty"
                })
        case "clef", "prof", "enof":
            var reader = box.payload
            _ = try reader.fullBoxHeader()
            let size = try FixedSize(from: &reader).pixelSize
            return "\(size.width)×\(size.height)"
        default: return nil
        }
    }

    /// Describes the tables in `stbl` and `stsd` by their counts alone, since only their beginning may be available.
    private static func table(_ box: ChildBox) throws(ParseError) -> String? {
        var reader = box.payload
        func count(of name: String, skipping bytes: Int = 4) throws(ParseError) -> String {
            try reader.skip(bytes)
            return counted(try reader.integer(UInt32.self), name, plural: name == "entry" ? "entries" : nil)
        }
        switch box.type {
        case "stsd", "stts", "ctts", "stsc": return try count(of: "entry")
        case "stss": return try count(of: "sync sample")
        case "stsz", "stz2": return try count(of: "sample", skipping: 8)
        case "stco", "co64": return try count(of: "chunk")
        default: return nil
        }
    }

    private static func fragment(_ box: ChildBox) throws(ParseError) -> String? {
        var reader = box.payload
        switch box.type {
        case "mfhd":
            _ = try reader.fullBoxHeader()
            return "fragment \(try reader.integer(UInt32.self))"
        case "trex", "tfhd":
            _ = try reader.fullBoxHeader()
            return "track \(try reader.integer(UInt32.self))"
        case "tfdt":
            let version = try reader.fullBoxHeader(latest: 1).version
            return "from tick \(try reader.versioned(version))"
        case "trun":
            _ = try reader.fullBoxHeader(latest: 1)
            return counted(try reader.integer(UInt32.self), "sample")
        default: return nil
        }
    }

    /// Describes boxes of pictures in movies and HEIF files.
    private static func picture(_ box: ChildBox) throws(ParseError) -> String? {
        var reader = box.payload
        switch box.type {
        case ColorBox.type:
            let kind = try reader.fourCC()
            let box: ColorBox = try box.read()
            return box.description.map { "\(kind) \($0.primaries)/\($0.transfer)/\($0.matrix)" } ?? "\(kind)"
        case PixelAspectRatioBox.type:
            let box: PixelAspectRatioBox = try box.read()
            return "\(box.horizontalSpacing):\(box.verticalSpacing)"
        case "frma": return "\(try reader.fourCC())"
        case "ispe":
            _ = try reader.fullBoxHeader()
            return "\(try reader.integer(UInt32.self))×\(try reader.integer(UInt32.self))"
        case "pitm", "infe":
            let version = try reader.fullBoxHeader(latest: 3).version
            let isLong = version >= (box.type == "pitm" ? 1 : 3)
            let item = isLong ? try reader.integer(UInt32.self) : UInt32(try reader.integer(UInt16.self))
            guard box.type == "infe", version >= 2 else { return "item \(item)" }
            try reader.skip(2)
            return "item \(item), \(try reader.fourCC())"
        default: return nil
        }
    }

    /// The brand without trailing blanks.
    private static func brand(_ brand: FourCC) -> String {
        String(brand.description.reversed().drop { $0 == " " }.reversed())
    }

    private static func list(_ values: [some CustomStringConvertible]) -> String {
        let shown = values.prefix(shownEntries).map(\.description).joined(separator: ", ")
        return values.count > shownEntries ? "\(shown) and \(values.count - shownEntries) more" : shown
    }
}
