import Bytes
import ISOBMFF

/// Changes the Exif data or the XMP of a HEIF without changing its pictures.
///
/// Exif data that are not longer, and XMP of the same length, are overwritten. Other data go into a new `mdat` after the
/// others, and `iloc` is updated.
/// The bytes after `meta` move only if `meta` has to grow.
struct HEIFEditor {
    let bytes: [UInt8]
    let heif: HEIF

    init(_ bytes: [UInt8]) throws(ParseError) {
        self.bytes = bytes
        heif = try HEIF(bytes)
    }

    /// The photo's Exif data, beginning with the TIFF header; nil when it has none.
    func tiff() throws(ParseError) -> ByteReader? {
        guard let item = heif.exifItem else { return nil }
        let ranges = try heif.ranges(ofMetadata: item)
        return ranges.isEmpty ? nil : try exif(ranges).tiff
    }

    private func exif(_ ranges: [Range<Int>]) throws(ParseError) -> HEIFExif {
        try HEIFExif(ranges.flatMap { bytes[$0] }, fileOffset: ranges.first?.lowerBound ?? 0)
    }

    /// The file with changed Exif data.
    ///
    /// - Parameters:
    ///   - tiff: the data, beginning with the TIFF header; nil to leave them unchanged.
    ///   - keeping: what of XMP stays. The rest is overwritten with spaces.
    /// - Throws: `ParseError` for a damaged file, or one in which the change would damage something else.
    func replacingExif(with tiff: [UInt8]?, keeping: KeptMetadata) throws(ParseError) -> [UInt8] {
        try requireComplete()
        var splices: [Splice] = []
        if keeping != .all {
            for item in try limited(heif.xmpItems) { splices += try erasing(item, keeping: keeping) }
        }
        if keeping.removesLocation { splices += try erasingOthers(keeping: keeping) }
        guard let tiff else { return try bytes.applying(splices, structure: "HEIF") }
        guard let item = heif.exifItem else {
            return try adding(HEIFExif.usualPrefix + tiff, as: ItemInfoBox.Item.exif, splices)
        }
        let ranges = try heif.ranges(ofMetadata: item)
        guard !ranges.isEmpty else { return try placing([(item, HEIFExif.usualPrefix + tiff)], splices) }
        let old = try exif(ranges)
        let rest = old.tiff.remaining - tiff.count
        guard rest >= 0 else {
            splices += try overwriting(item, with: 0)
            return try placing([(item, HEIFExif.usualPrefix + tiff)], splices)
        }
        splices += try overwriting(item, with: old.prefix + tiff + repeatElement(0, count: rest))
        return try bytes.applying(splices, structure: "HEIF")
    }

    /// The photo's XMP; nil when it has none.
    func xmp() throws(ParseError) -> [UInt8]? {
        guard let item = heif.xmpItems.first else { return nil }
        let ranges = try heif.ranges(ofMetadata: item)
        return ranges.isEmpty ? nil : ranges.flatMap { bytes[$0] }
    }

    /// The file with changed XMP and, if `boxesFollow`, a size in its last box.
    ///
    /// - Throws: as `replacingExif`; also for trailing bytes that are no box, if `boxesFollow`.
    func replacingXMP(with packet: [UInt8]?, boxesFollow: Bool) throws(ParseError) -> [UInt8] {
        try requireComplete()
        if boxesFollow { try requireRoomForBoxes() }
        var splices: [Splice] = []
        if let packet, let item = heif.xmpItems.first {
            guard try heif.ranges(ofMetadata: item).reduce(0, { $0 + $1.count }) == packet.count else {
                return try placing([(item, packet)], overwriting(item, with: 0))
            }
            splices += try overwriting(item, with: packet)
        } else if let packet {
            return try adding(packet, as: ItemInfoBox.Item.xmp, [])
        }
        if boxesFollow, let last = heif.boxes.last, last.isOpenEnded {
            splices.append(try sizing(last, last.range.count))
        }
        return try bytes.applying(splices, structure: "HEIF")
    }

    /// Throws for a file that is cut off: appended bytes would be read as the rest of a picture.
    private func requireComplete() throws(ParseError) {
        for item in heif.locations?.items ?? [] where item.isInFile { _ = try heif.ranges(of: item) }
    }

    /// Throws if boxes after the last one would not be found, or would be read as a part of an item.
    private func requireRoomForBoxes() throws(ParseError) {
        let end = heif.boxes.last?.range.upperBound ?? 0
        guard end == bytes.count else {
            throw ParseError(
                .unsupported, in: "HEIF", at: end,
                expected: "boxes up to its end, found \(bytes.count - end) other bytes")
        }
        let isEndless = heif.locations?.items.contains { item in
            item.isInFile && item.extents.contains { $0.length == 0 } && !heif.isEmptyMetadata(item)
        }
        guard isEndless != true else {
            throw heif.error(.unsupported, in: "iloc", "a length for each item")
        }
    }

    func overwriting(_ item: UInt32, with byte: UInt8) throws(ParseError) -> [Splice] {
        let count = try heif.ranges(ofMetadata: item).reduce(0) { $0 + $1.count }
        return try overwriting(item, with: Array(repeating: byte, count: count))
    }

    /// - Parameter data: as many bytes as the item has.
    func overwriting(_ item: UInt32, with data: [UInt8]) throws(ParseError) -> [Splice] {
        let ranges = try heif.ranges(ofMetadata: item)
        try requireOwn(ranges, of: item)
        var rest = data[...]
        return ranges.map { range in
            defer { rest = rest.dropFirst(range.count) }
            return Splice(range, Array(rest.prefix(range.count)))
        }
    }

    /// Throws if something else uses these bytes.
    private func requireOwn(_ ranges: [Range<Int>], of item: UInt32) throws(ParseError) {
        var others = heif.boxes.map { $0.range.lowerBound..<$0.payload.lowerBound }
        others += heif.metaBoxes.filter { $0.type != "idat" }.map(\.range)
        for other in heif.locations?.items ?? [] where other.id != item {
            others += (try? heif.ranges(of: other)) ?? []
        }
        for (index, range) in ranges.enumerated() where (others + ranges[..<index]).contains(where: range.overlaps) {
            throw ParseError(
                .invalidValue, in: "HEIF item \(item)", at: range.lowerBound,
                expected: "bytes that nothing else in the file uses")
        }
    }

    /// Adds an item that describes the photo.
    private func adding(
        _ metadata: [UInt8], as item: (_ id: UInt32) -> ItemInfoBox.Item, _ splices: [Splice]
    ) throws(ParseError) -> [UInt8] {
        let id = try unusedNumbers(1)
        let list = try listing(
            [item(id)], [ItemReferenceBox.Reference(type: "cdsc", from: id, to: [heif.primary])], areOfPhoto: true)
        return try placing([(id, metadata)], splices + list)
    }

    /// Puts the data of items into a new `mdat`.
    ///
    /// - Parameters:
    ///   - data: of items that `iloc` may not have yet.
    ///   - splices: other changes; of these, only those in `meta` and before it may change a length.
    func placing(_ data: [(item: UInt32, bytes: [UInt8])], _ splices: [Splice]) throws(ParseError) -> [UInt8] {
        guard var locations = heif.locations, let box = metaBox("iloc") else {
            throw heif.error(.missing, in: "meta", "a box iloc")
        }
        try setLengths(&locations)
        let present = locations
        var splices = splices
        let known = Set(locations.items.map(\.id))
        guard locations.canAdd(data.map(\.item).filter { !known.contains($0) }) else {
            throw heif.error(.unsupported, in: "iloc", "room for another item")
        }
        let contents = data.flatMap(\.bytes)
        var mdat = ByteWriter()
        mdat.box("mdat") { $0.append(contents) }
        let place = placeOfNewData
        if let last = heif.boxes.last(where: { $0.range.upperBound == place }), last.isOpenEnded, last != heif.meta {
            splices.append(try sizing(last, last.range.count))
        }

        // The offsets depend on the length of iloc, which depends on the offsets. Fields only get wider, so this ends.
        var length = -1
        while true {
            var writer = ByteWriter()
            locations.write(to: &writer)
            let growth = splices.reduce(writer.count - box.range.count) { $0 + $1.growth }
            let before = splices.filter { $0.range.upperBound <= heif.meta.range.lowerBound }.reduce(0) {
                $0 + $1.growth
            }
            let all =
                splices + [
                    try sizing(heif.meta, heif.meta.range.count + growth - before), Splice(box.range, writer.bytes),
                    Splice(place..<place, mdat.bytes),
                ]
            if writer.count == length {
                if growth != 0 || place != heif.boxes.last?.range.upperBound { try requireNoOtherOffsets() }
                return try bytes.applying(all, structure: "HEIF")
            }
            length = writer.count
            locations = present
            let moving = all.filter { $0.growth != 0 }
            locations.relocate { offset in
                moving.reduce(offset) { $1.range.upperBound <= offset ? $0 + $1.growth : $0 }
            }
            var start = place + growth + mdat.count - contents.count
            for (item, bytes) in data {
                locations.place(item, at: start, count: bytes.count)
                start += bytes.count
            }
        }
    }

    /// Gives items that reach up to the end of the file their length: a new box there would belong to them.
    private func setLengths(_ locations: inout ItemLocationBox) throws(ParseError) {
        for index in locations.items.indices {
            let item = locations.items[index]
            guard item.isInFile, item.extents.contains(where: { $0.length == 0 }), !heif.isEmptyMetadata(item) else {
                continue
            }
            for (extent, range) in zip(item.extents.indices, try heif.ranges(of: item)) {
                locations.items[index].extents[extent].length = UInt64(range.count)
            }
        }
    }

    func metaBox(_ type: FourCC) -> ChildBox? { heif.metaBoxes.first { $0.type == type } }

    /// After the last box, but before a motion photo's movie and data that a camera appended: their readers look for
    /// them at the file's end, and their offsets are relative.
    private var placeOfNewData: Int {
        let movie = heif.boxes.first { $0.type == "mpvd" && $0.range.lowerBound >= heif.meta.range.upperBound }
        guard let last = heif.boxes.last else { return bytes.count }
        // Samsung's trailer, in a box of its own.
        let isTrailer =
            last.range.upperBound == bytes.count && bytes.suffix(4).elementsEqual("SEFT".utf8)
            && !["meta", "mdat"].contains(last.type)
        return movie?.range.lowerBound ?? (isTrailer ? last.range.lowerBound : last.range.upperBound)
    }

    /// The first of some consecutive numbers that no item has.
    func unusedNumbers(_ count: Int) throws(ParseError) -> UInt32 {
        let used =
            heif.items.map(\.id) + (heif.locations?.items.map(\.id) ?? []) + heif.references.map(\.from)
            + [heif.primary] + (try groups)
        guard let highest = used.max(), UInt32.max - highest > count else {
            throw heif.error(.overLimit, in: "iinf", "an unused number for a new item")
        }
        return highest + 1
    }

    /// The splices that list new items.
    ///
    /// - Parameter areOfPhoto: whether they are the photo's own metadata, and not those of another picture.
    func listing(
        _ items: [ItemInfoBox.Item], _ references: [ItemReferenceBox.Reference], areOfPhoto: Bool
    ) throws(ParseError) -> [Splice] {
        guard let list = metaBox("iinf") else {
            throw heif.error(.missing, in: "meta", "a box iinf")
        }
        var writer = ByteWriter()
        try ItemInfoBox(from: list.payload).write(to: &writer, adding: items, areOfPhoto: areOfPhoto)
        let splice = Splice(list.range, writer.bytes)
        writer = ByteWriter()
        let box = metaBox("iref")
        let old =
            try box.map { box throws(ParseError) in try ItemReferenceBox(from: box.payload) }
            ?? ItemReferenceBox(isWide: items.contains { $0.id > UInt16.max })
        try old.write(to: &writer, adding: references)
        let end = heif.meta.range.upperBound
        return [splice, Splice(box?.range ?? end..<end, writer.bytes)]
    }

    /// The splice that adds a group of items of which a reader shows the first that it can (ISO/IEC 14496-12, 8.15.3).
    ///
    /// - Parameter number: that of the group, which nothing else has.
    func grouping(_ items: [UInt32], number: UInt32) throws(ParseError) -> [Splice] {
        let box = metaBox("grpl")
        var writer = ByteWriter()
        writer.box("grpl") { writer in
            if var old = box?.payload { writer.append(old.rest()) }
            writer.box("altr") { writer in
                writer.fullBoxHeader()
                writer.integer(number)
                writer.integer(UInt32(items.count))
                for item in items { writer.integer(item) }
            }
        }
        let end = heif.meta.range.upperBound
        return [Splice(box?.range ?? end..<end, writer.bytes)]
    }

    /// The splices that list a brand in `ftyp`; none if it is listed.
    func addingBrand(_ brand: FourCC) throws(ParseError) -> [Splice] {
        guard let box = heif.boxes.first(where: { $0.type == "ftyp" }),
            box.range.upperBound <= heif.meta.range.lowerBound
        else { throw heif.error(.missing, in: "HEIF", "a box ftyp before this") }
        var writer = ByteWriter()
        writer.fourCC(brand)
        let list = bytes[box.payload]
        let brands = stride(from: list.startIndex, to: list.endIndex - 3, by: 4)
        guard !brands.contains(where: { list[$0..<$0 + 4].elementsEqual(writer.bytes) }) else { return [] }
        let end = box.range.upperBound
        return [Splice(end..<end, writer.bytes), try sizing(box, box.range.count + writer.count)]
    }

    /// The numbers of groups of items, which share those of items (ISO/IEC 14496-12, 8.18.3).
    private var groups: [UInt32] {
        get throws(ParseError) {
            guard let box = metaBox("grpl") else { return [] }
            return try box.payload.boxes(limit: HEIFLimits.boxes).map { group throws(ParseError) in
                var content = group.payload
                _ = try content.fullBoxHeader(latest: .max)
                return try content.integer(UInt32.self)
            }
        }
    }

    /// The splice that sets the size of a box to `count` bytes.
    private func sizing(_ box: BoxLocation, _ count: Int) throws(ParseError) -> Splice {
        let start = box.range.lowerBound
        var writer = ByteWriter()
        if box.header.size == BoxHeader.longSize {
            writer.integer(UInt64(count))
            return Splice(start + BoxHeader.shortSize..<start + BoxHeader.longSize, writer.bytes)
        }
        guard let size = UInt32(exactly: count) else {
            throw ParseError(
                .unsupported, in: "\(box.type)", at: start,
                expected: "a box of less than 4 GB, found \(count) bytes")
        }
        writer.integer(size)
        return Splice(start..<start + 4, writer.bytes)
    }

    /// Throws if a box other than `iloc` holds file offsets, as a movie does (image sequences).
    private func requireNoOtherOffsets() throws(ParseError) {
        let kinds: Set<FourCC> = ["moov", "moof", "mfra", "sidx"]
        guard let box = heif.boxes.first(where: { kinds.contains($0.type) }) else { return }
        throw ParseError(
            .unsupported, in: "\(box.type)", at: box.range.lowerBound,
            expected: "a photo without a movie, whose frames would have to move for the new metadata")
    }
}
