package import Bytes
import ISOBMFF

extension MovieEdit {
    /// The changes that write the edited movie into its own file. The new boxes are appended, so that nothing moves and
    /// the cost does not depend on the size of the media.
    ///
    /// After an interruption at any point, the file is the old movie or the new one, because readers take the first
    /// `moov`:
    ///
    /// 1. A last box that reaches to the end of the file gets a size, which means the same.
    /// 2. The new boxes are appended within one `free` box, whose header comes first: the next run recognizes and
    ///    removes an incomplete one.
    /// 3. `ftyp` gets the brand of QuickTime within its size. Readers of the old `moov` take either brand.
    /// 4. The `free` box becomes an empty one (4 bytes), so that the boxes in it become top-level boxes. The old `moov`
    ///    is still the first.
    /// 5. The old `moov` becomes `free` (4 bytes): only now is the new one the first.
    ///
    /// Each step waits for the disk (fsync(2)), so that they reach it in this order, except between 2 and 3, whose
    /// order does not matter. A run interrupted between 4 and 5 leaves two `moov`s; the next run starts again from the
    /// first and makes the other one `free`. A movie without `ftyp` gets none: there is no room for it.
    ///
    /// - Throws: `MovieEditError` for a file that nothing can be appended to; `Errno` of pread(2).
    package func changesInPlace() throws -> [FileChange] {
        guard !isUnchanged else { return [] }
        let (boxes, end) = try boxesBeforeLeftover()
        var changes: [FileChange] = []
        if end < reader.file.size { changes += [.truncate(to: end), .synchronize] }
        changes += try sizeOfLastBox(boxes, end: end)
        changes += try appending(at: end)
        if becomesQuickTime, let place = boxes.first(where: { $0.type == FileTypeBox.type }) {
            changes.append(
                .write(Self.quickTimeFileType(payloadSize: place.payloadSize), at: place.payload.lowerBound))
        }
        changes.append(.synchronize)
        let movies = boxes.filter { $0.type == MovieBox.type }
        for movie in movies.dropFirst() { changes.append(Self.freeing(movie)) }
        changes += [.write(Self.bytes(UInt32(BoxHeader.shortSize)), at: end), .synchronize]
        for movie in movies.prefix(1) { changes += [Self.freeing(movie), .synchronize] }
        return changes
    }

    private static let freeType: FourCC = "free"

    /// The new boxes within `free`. Its header reaches the disk before them, because a power failure could otherwise leave
    /// zeros there, which are not a box.
    private func appending(at end: Int) throws -> [FileChange] {
        let content = try (mediaData?.bytes ?? []) + movieBytes(sampleOffset: end + 2 * BoxHeader.shortSize)
        // The size fits in 32 bits, since `moov` and the sample have limits.
        let header = BoxHeader(Self.freeType, payloadSize: content.count).bytes
        return [.write(header, at: end), .synchronize, .write(content, at: end + header.count)]
    }

    /// The boxes of the file and their end, without the `free` box that an interrupted run left after them, which is cut
    /// off or holds a `moov`.
    private func boxesBeforeLeftover() throws -> ([BoxLocation], end: Int) {
        var boxes = reader.boxes
        var end = reader.file.size
        if let last = boxes.last, last.type == Self.freeType, try last.isCutOff || holdsMovie(last) {
            boxes.removeLast()
            end = last.offset
        }
        let boxesEnd = boxes.last?.range.upperBound ?? 0
        if let last = boxes.last, last.isCutOff { throw MovieEditError.trailingBytes(offset: last.offset) }
        guard boxesEnd == end else { throw MovieEditError.trailingBytes(offset: boxesEnd) }
        return (boxes, end)
    }

    private func holdsMovie(_ box: BoxLocation) throws -> Bool {
        let children = try BoxLocation.all(in: box.payload, limit: 2, read: reader.file.bytes(at:count:))
        guard let last = children.last, !last.isOpenEnded, !last.isCutOff else { return false }
        let types = children.map(\.type)
        return (types == [MovieBox.type] || types == ["mdat", MovieBox.type])
            && last.range.upperBound == box.range.upperBound
    }

    private func sizeOfLastBox(_ boxes: [BoxLocation], end: Int) throws(MovieEditError) -> [FileChange] {
        guard let last = boxes.last, last.isOpenEnded else { return [] }
        guard let size = UInt32(exactly: end - last.offset) else { throw MovieEditError.noRoomForSize(last.type) }
        return [.write(Self.bytes(size), at: last.offset), .synchronize]
    }

    /// The payload of `ftyp` with the brand of QuickTime alone, repeated to fill its size.
    private static func quickTimeFileType(payloadSize: Int) -> [UInt8] {
        var box = FileTypeBox.quickTime
        box.compatibleBrands = Array(repeating: box.majorBrand, count: max(payloadSize - 8, 0) / 4)
        return OpaqueBox(writing: box).payload
    }

    private static func freeing(_ box: BoxLocation) -> FileChange {
        .write(bytes(freeType.rawValue), at: box.offset + 4)
    }

    private static func bytes(_ integer: UInt32) -> [UInt8] {
        withUnsafeBytes(of: integer.bigEndian) { Array($0) }
    }
}
