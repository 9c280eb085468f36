import Bytes

/// Photoshop's data in the segments APP13 of a JPEG, among them IPTC: resources with a number and a name (Adobe Photoshop
/// File Formats Specification, "Image Resource Blocks").
struct PhotoshopData: Sendable {
    static let signature = Array("Photoshop 3.0\0".utf8)

    private struct Resource: Sendable {
        let number: UInt16
        /// The whole resource.
        let bytes: [UInt8]
        let content: [UInt8]
    }

    private let resources: [Resource]

    private static let iptc: UInt16 = 0x0404
    private static let digestOfIPTC: UInt16 = 0x0425
    /// Copies of Exif and XMP, which have segments of their own.
    private static let copiesOfMetadata: Set<UInt16> = [0x0422, 0x0423, 0x0424]
    /// Two forms of a thumbnail, and the colour profile.
    private static let copiesOfPicture: Set<UInt16> = [0x0409, 0x040C, 0x040F]
    /// Grid and guides, slices, and paths with the name of the one for clipping.
    private static let places: [ClosedRange<UInt16>] = [0x0408...0x0408, 0x041A...0x041A, 0x07D0...0x0BB7]

    /// - Parameter data: the contents of all segments, joined, without their signatures.
    init(_ data: [UInt8]) throws(ParseError) {
        var resources: [Resource] = []
        var reader = ByteReader(data, structure: "Photoshop data")
        // Some writers pad the end.
        while reader.remaining >= 12 {
            let start = reader.offset
            try reader.skip(4)
            let number = try reader.integer(UInt16.self)
            // A Pascal string, whose length with its count is even.
            let name = Int(try reader.integer(UInt8.self))
            try reader.skip(name % 2 == 0 ? name + 1 : name)
            let count = Int(try reader.integer(UInt32.self))
            let content = try reader.bytes(count)
            if count % 2 == 1, reader.remaining > 0 { try reader.skip(1) }
            resources.append(
                Resource(number: number, bytes: Array(data[start..<reader.offset]), content: content))
        }
        self.resources = resources
    }

    /// Whether it has IPTC with fields.
    var hasIPTC: Bool { resources.contains { $0.number == Self.iptc && !$0.content.isEmpty } }

    /// Whether IPTC has such statements; also for copies of other metadata, which may have them.
    func mayHave(_ statements: KeptMetadata.Statements) -> Bool {
        resources.contains { resource in
            guard resource.number == Self.iptc else { return Self.copiesOfMetadata.contains(resource.number) }
            let rest = try? Self.carried(
                resource.content, keepsPlaces: true, keepsPicture: true, without: statements)
            return rest != resource.content
        }
    }

    /// The contents of segments with what stays true of another picture; none if nothing does.
    ///
    /// - Parameters:
    ///   - keepsPlaces: whether everything is where it was in the picture.
    ///   - keepsPicture: whether it is the same picture, so that thumbnails and a copy of its colour profile stay.
    ///   - statements: what does not stay.
    func segments(
        keepsPlaces: Bool, keepsPicture: Bool = false, without statements: KeptMetadata.Statements = []
    ) throws(ParseError) -> [[UInt8]] {
        var data: [UInt8] = []
        var changesIPTC = false
        var digest: [UInt8] = []
        for resource in resources where !Self.copiesOfMetadata.contains(resource.number) {
            switch resource.number {
            case let number where !keepsPicture && Self.copiesOfPicture.contains(number): continue
            case Self.iptc:
                let iptc = try Self.carried(
                    resource.content, keepsPlaces: keepsPlaces, keepsPicture: keepsPicture, without: statements)
                changesIPTC = changesIPTC || iptc != resource.content
                if !iptc.isEmpty { data += iptc == resource.content ? resource.bytes : Self.resource(iptc) }
            case Self.digestOfIPTC: digest = resource.bytes
            case let number where !keepsPlaces && Self.places.contains { $0.contains(number) }: continue
            default: data += resource.bytes
            }
            // A resource without its padding, as the last one may be.
            data += repeatElement(0, count: data.count % 2)
        }
        // It would not match other fields.
        if !changesIPTC { data += digest }
        let limit = JPEG.contentLimit - Self.signature.count
        return stride(from: 0, to: data.count, by: limit).map {
            Self.signature + data[$0..<min($0 + limit, data.count)]
        }
    }

    /// A resource with IPTC.
    private static func resource(_ content: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.text("8BIM")
        writer.integer(iptc)
        writer.integer(UInt16(0))
        writer.integer(UInt32(content.count))
        writer.append(content)
        return writer.bytes
    }

    /// The preview of a picture (2:200 to 2:202).
    private static let preview: ClosedRange<UInt8> = 200...202
    /// Whether the picture is landscape or portrait.
    private static let layout: UInt8 = 131
    /// The location that the picture shows (2:26, 2:27), and that where it was made.
    private static let locations: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]
    /// When the picture was made, and when its file was: a date and a time each.
    private static let dates: Set<UInt8> = [55, 60, 62, 63]

    /// The fields of IPTC that stay true (IPTC-NAA Information Interchange Model 4.2, 1.5 and chapter 6).
    private static func carried(
        _ data: [UInt8], keepsPlaces: Bool, keepsPicture: Bool, without statements: KeptMetadata.Statements
    ) throws(ParseError) -> [UInt8] {
        var reader = ByteReader(data, structure: "IPTC")
        var kept: [UInt8] = []
        while reader.remaining >= 5, data[reader.offset] == 0x1C {
            let start = reader.offset
            try reader.skip(1)
            let (record, number) = (try reader.integer(UInt8.self), try reader.integer(UInt8.self))
            var count = Int(try reader.integer(UInt16.self))
            if count >= 0x8000 {
                // An extended field: the length is a number of so many bytes.
                let digits = try reader.bytes(min(count & 0x7FFF, 8))
                guard let length = Int(exactly: digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) else {
                    throw reader.error(.overLimit, expected: "a length within the file")
                }
                count = length
            }
            try reader.skip(count)
            let isLost =
                preview.contains(number) && !keepsPicture || number == layout && !keepsPlaces
                || locations.contains(number) && statements.contains(.location)
                || dates.contains(number) && statements.contains(.date)
            if record != 2 || !isLost { kept += data[start..<reader.offset] }
        }
        let padding = data[reader.offset...]
        // Some readers find fields after other bytes.
        guard !statements.removesUnreadable || padding.allSatisfy({ $0 == 0 }) else {
            throw reader.error(.invalidValue, expected: "fields up to its end")
        }
        return kept.isEmpty ? [] : kept + padding
    }
}
