package import Bytes
import ISOBMFF
package import MediaModel

/// What a photo's file states about the movie in it, for a check against Motion Photo format 1.0.
package struct MotionPhotoDescription: Sendable {
    /// A part of the file, as the directory in XMP lists it.
    package struct Item: Sendable, Hashable {
        package let mime: FileText?
        package let semantic: FileText?
        /// Nil if there is none, or if it is not written in digits alone, which strict readers require.
        package let length: Int?
        /// As written.
        package let padding: FileText?
    }

    /// The number of XMP packets that describe the photo.
    package let packetCount: Int
    /// Nil if there is none.
    package let xmp: XMP?
    package let items: [Item]
    /// The prefixes that strict readers look for and do not find, with the element that has to declare them.
    package let undeclaredNames: [String]
    /// Bytes of the header and of the contents of the box with the movie; nil in a JPEG, or if there is none.
    package let box: (headerSize: Int, contentSize: Int)?
    /// The type of a box after that one, other than Samsung's trailer; nil if there is none.
    package let followingBox: String?
    /// The end of a JPEG's first picture; nil in a HEIF.
    package let pictureEnd: Int?
    /// Whether all further pictures that a JPEG lists begin where it says.
    package let hasValidPictureList: Bool
    /// Whether XMP has the properties of OPPO's cameras.
    package var isFromOPPO: Bool { xmp.map(MotionPhotoAddition.isOPPO) ?? false }

    /// - Throws: `ParseError` for XMP or a JPEG that cannot be read; `Errno` of pread(2).
    package init(_ photo: PhotoReader) throws {
        let packets: [[UInt8]]
        switch photo.container {
        case .jpeg(let jpeg):
            packets = jpeg.segments.filter { jpeg.isSegment($0, .app1, JPEG.xmpSignature) }.map {
                Array(jpeg.bytes[$0.content.dropFirst(JPEG.xmpSignature.count)])
            }
            (box, followingBox) = (nil, nil)
            pictureEnd = try jpeg.pictureEnd(in: photo.file)
            hasValidPictureList = try jpeg.furtherPictures.allSatisfy {
                try photo.file.bytes(at: $0.lowerBound, count: 2) == [0xFF, 0xD8]
            }
        case .heif(let heif):
            packets = try heif.xmpItems.map { item in
                try heif.ranges(ofMetadata: item).flatMap { try photo.file.bytes(at: $0.lowerBound, count: $0.count) }
            }
            let index = heif.boxes.firstIndex { $0.type == "mpvd" }
            box = index.map { (heif.boxes[$0].header.size, heif.boxes[$0].payload.count) }
            followingBox = index.flatMap { heif.boxes[($0 + 1)...].first { $0.type != "sefd" }?.type.description }
            (pictureEnd, hasValidPictureList) = (nil, true)
        }
        packetCount = packets.count
        xmp = try photo.xmp()
        items = (xmp?.motionPhotoItems ?? []).map { item in
            func text(_ name: FileText) -> FileText? { item[XMLNamespace.googleContainerItem, name]?.text }
            return Item(
                mime: text("Mime"), semantic: text("Semantic"),
                length: text("Length").flatMap(Self.number), padding: text("Padding"))
        }
        undeclaredNames = try packets.first.map(Self.undeclaredNames) ?? []
    }

    /// A number in digits alone.
    package static func number(_ text: FileText) -> Int? {
        text.bytes.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) ? text.integer : nil
    }

    /// Some readers find names only where Google's cameras declare them.
    private static func undeclaredNames(_ packet: [UInt8]) throws(ParseError) -> [String] {
        var reader = try XMLReader(packet)
        let expected: [(FileText, FileText)] = [
            ("GCamera", XMLNamespace.googleCamera), ("Container", XMLNamespace.googleContainer),
            ("Item", XMLNamespace.googleContainerItem),
        ]
        var found: Set<FileText> = []
        var hasRDF = false
        while let token = try reader.next() {
            guard case .start(let name, _) = token, name.namespace == XMLNamespace.rdf else { continue }
            if name.local == "RDF" { hasRDF = hasRDF || reader.declaredPrefixes.contains("rdf") }
            guard name.local == "Description" else { continue }
            for (prefix, uri) in expected
            where reader.declaredPrefixes.contains(prefix) && reader.bindings.uri(of: prefix) == uri {
                found.insert(prefix)
            }
        }
        return (hasRDF ? [] : ["rdf on rdf:RDF"])
            + expected.filter { !found.contains($0.0) }.map { "\($0.0) on rdf:Description" }
    }
}

extension JPEG {
    /// The end of the first picture: after its marker EOI (ITU-T T.81, B.1.1.2).
    ///
    /// - Parameter limit: bytes of the picture that are read at most.
    /// - Throws: `ParseError`, of code `truncated` if there is none, `overLimit` if it is behind the limit; `Errno` of
    ///   pread(2).
    package func pictureEnd(in file: InputFile, limit: Int = pictureLimit) throws -> Int {
        let end = min(file.size, headEnd + limit)
        var place = headEnd
        while place < end {
            let bytes = try file.bytes(at: place, count: min(Self.pictureStep, end - place))
            guard !bytes.isEmpty else { break }
            let isLast = bytes.count < Self.pictureStep || place + bytes.count >= end
            let (index, isEnd) = Self.scan(bytes, isLast: isLast)
            place += index
            if isEnd { return place }
        }
        guard end == file.size else {
            throw ParseError(.overLimit, in: "JPEG", at: end, expected: "a picture of at most \(limit) bytes")
        }
        throw ParseError(.truncated, in: "JPEG", at: end, expected: "the end of the picture")
    }

    /// Looks for the end of the picture in a part of it.
    ///
    /// - Parameter isLast: whether nothing follows this part.
    /// - Returns: the index after the picture; otherwise where to continue, which may be behind this part.
    private static func scan(_ bytes: [UInt8], isLast: Bool) -> (index: Int, isEnd: Bool) {
        var index = 0
        while index < bytes.count, let next = bytes[index...].firstIndex(of: 0xFF) {
            // A marker and its length are read at once.
            if !isLast, next + 4 > bytes.count { return (next, false) }
            guard next + 1 < bytes.count else { break }
            let marker = JPEGMarker(rawValue: bytes[next + 1])
            if marker.rawValue == 0xD9 { return (next + 2, true) }
            // Stuffed bytes, restart markers and fill bytes have no length.
            index = next + (marker.rawValue == 0xFF ? 1 : 2)
            guard marker.beginsSegment, index + 1 < bytes.count else { continue }
            index += Int(bytes[index]) << 8 | Int(bytes[index + 1])
        }
        return (max(index, bytes.count), false)
    }

    /// Bytes read at a time.
    private static let pictureStep = 1 << 20
    /// Keeps a damaged file from being read for minutes.
    package static let pictureLimit = 1 << 30
}
