import Bytes

/// The list of further pictures in a JPEG, such as gain maps: a segment APP2 that begins with `MPF\0`, then a TIFF
/// (CIPA DC-007 5.1). The pictures follow the first one, at offsets from that TIFF's first byte.
extension JPEG {
    private static let multiPictureSignature = Array("MPF\0".utf8)
    private static let listVersion = TIFFTag(rawValue: 0xB000)
    private static let numberOfPictures = TIFFTag(rawValue: 0xB001)
    /// The attributes of a baseline photo (DC-007 5.2.3.3.1).
    private static let baselinePhoto: UInt32 = 0x030000
    private static let pictureList = TIFFTag(rawValue: 0xB002)
    /// Attributes, size, offset, and two numbers of other pictures (DC-007 5.2.3.3).
    private static let pictureSize = 16
    private static let pictureLength = 4
    private static let pictureOffset = 8

    /// The list of the first picture, with the ranges of its entries.
    private struct PictureList {
        var tiff: [UInt8]
        let endianness: ByteReader.Endianness
        let entries: [Int]

        func number(at place: Int) -> Int? {
            var field = ByteReader(Array(tiff[place..<place + 4]), structure: "MPF")
            return (try? field.integer(UInt32.self, endianness)).map(Int.init)
        }

        /// Does nothing for a number that does not fit.
        mutating func set(_ number: Int, at place: Int) {
            guard let number = UInt32(exactly: number) else { return }
            var writer = ByteWriter()
            writer.integer(number, endianness)
            tiff.replaceSubrange(place..<place + 4, with: writer.bytes)
        }
    }

    /// Nil for another segment, and for a list that cannot be read.
    private func pictureList(in segment: Segment) -> PictureList? {
        guard isSegment(segment, .app2, Self.multiPictureSignature) else { return nil }
        let tiff = Array(bytes[segment.content].dropFirst(Self.multiPictureSignature.count))
        let reader = ByteReader(tiff, structure: "MPF")
        guard let (endianness, offset) = try? TIFF.header(of: reader),
            let list = try? RawIFD(from: reader, at: offset, endianness)[Self.pictureList],
            let range = list.valueRange(in: tiff.count, endianness)
        else { return nil }
        let entries = stride(from: range.lowerBound, to: range.upperBound - Self.pictureSize + 1, by: Self.pictureSize)
        return PictureList(tiff: tiff, endianness: endianness, entries: Array(entries))
    }

    /// A segment that lists a photo and a further picture, whose sizes and offset `listing` sets.
    static var listOfTwoPictures: [UInt8] {
        var entries = ByteWriter()
        // The photo, whose offset is 0.
        entries.integer(Self.baselinePhoto)
        entries.zeros(pictureSize - 4)
        entries.zeros(pictureOffset)
        entries.integer(UInt32(1))
        entries.zeros(4)
        var tiff = ByteWriter()
        tiff.append([0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8])
        IFD([
            .undefined(listVersion, Array("0100".utf8)), .long(numberOfPictures, 2),
            .undefined(pictureList, entries.bytes),
        ]).write(to: &tiff)
        return segment(.app2, multiPictureSignature + tiff.bytes)
    }

    /// Whether the file may have further pictures whose list cannot be read.
    var hasUnreadablePictureList: Bool {
        segments.contains { isSegment($0, .app2, Self.multiPictureSignature) && !isPictureList($0) }
    }

    /// Whether it is the list of further pictures.
    func isPictureList(_ segment: Segment) -> Bool { pictureList(in: segment) != nil }

    /// The file, whose list then has the right sizes and offset of the photo and of one further picture after it.
    ///
    /// - Parameter count: the further picture's size in bytes.
    func listing(_ count: Int) throws(ParseError) -> [UInt8] {
        guard let segment = segments.first(where: isPictureList), var list = pictureList(in: segment) else {
            throw ParseError(.missing, in: "JPEG", at: headEnd, expected: "a list of further pictures before this")
        }
        let start = segment.content.lowerBound + Self.multiPictureSignature.count
        for entry in list.entries {
            let isPhoto = list.number(at: entry + Self.pictureOffset) == 0
            list.set(isPhoto ? bytes.count : count, at: entry + Self.pictureLength)
            if !isPhoto { list.set(bytes.count - start, at: entry + Self.pictureOffset) }
        }
        return bytes[..<start] + list.tiff + bytes[segment.range.upperBound...]
    }

    /// The ranges of the further pictures in the file, in the order of the list; they may be outside of the file.
    var furtherPictures: [Range<Int>] {
        guard let segment = segments.first(where: isPictureList), let list = pictureList(in: segment)
        else { return [] }
        let start = segment.content.lowerBound + Self.multiPictureSignature.count
        return list.entries.compactMap { entry in
            guard let offset = list.number(at: entry + Self.pictureOffset), offset != 0,
                let count = list.number(at: entry + Self.pictureLength)
            else { return nil }
            return start + offset..<start + offset + count
        }
    }

    /// The segment with offsets reduced by a number of bytes, and with the size of the first picture after its header grew;
    /// nil if nothing changes, if it is another segment, or if it cannot be read.
    func multiPictureSegment(_ segment: Segment, closerBy distance: Int, growth: Int) -> [UInt8]? {
        guard distance != 0 || growth != 0, var list = pictureList(in: segment) else { return nil }
        for entry in list.entries {
            guard let offset = list.number(at: entry + Self.pictureOffset) else { continue }
            // The offset 0 refers to the first picture, which contains the list.
            if offset != 0 {
                list.set(offset - distance, at: entry + Self.pictureOffset)
            } else if let size = list.number(at: entry + Self.pictureLength), size != 0 {
                list.set(size + growth, at: entry + Self.pictureLength)
            }
        }
        return bytes[segment.range.lowerBound..<segment.content.lowerBound] + Self.multiPictureSignature + list.tiff
    }
}
