package import ISOBMFF

extension MovieEdit {
    /// Writes the movie into a new file. The caller waits for the disk (fsync(2)).
    ///
    /// - Parameter output: new and empty. An error leaves an unfinished file behind, for the caller to remove.
    /// - Throws: `MovieEditError`; `Errno` of reading and writing.
    package func write(to output: OutputFile) throws {
        try copy().write(to: output)
        try output.flush()
    }

    /// The movie as a separate file: `ftyp`, the media, `moov` at the end. Unused free space and the old `moov` are
    /// dropped; all other top-level boxes are copied unchanged.
    ///
    /// - Throws: `MovieEditError`; `Errno` of reading.
    package func copy() throws -> FilePieces {
        let layout = try CopyLayout(of: reader, fileType: copiedFileType())
        var end = ByteWriter()
        if let mediaData { end.box(mediaDataType) { $0.append(mediaData) } }
        let moved = layout.places
        end.append(
            try movieBytes(sampleOffset: layout.size + BoxHeader.shortSize) { offset in
                guard let place = moved.last(at: offset) else { return nil }
                return UInt64(place.newOffset) + (offset - UInt64(place.payload.lowerBound))
            })
        var pieces = layout.pieces
        pieces.append(end.bytes)
        // For example data that a camera appended that is no box: readers stop there.
        pieces.append(layout.trailing, of: reader.file)
        return pieces
    }

    /// `ftyp` of a QuickTime movie if the movie becomes one or has no `ftyp`; otherwise the old one unchanged.
    private func copiedFileType() throws -> [UInt8] {
        if let old = reader.boxes.first(where: { $0.type == FileTypeBox.type }), mediaData == nil {
            return try reader.file.bytes(at: old.offset, count: min(old.range.count, 1 << 16))
        }
        var writer = ByteWriter()
        writer.box(FileTypeBox.quickTime)
        return writer.bytes
    }

    var mediaDataType: FourCC { "mdat" }
}

/// The layout of the boxes in a copy of a movie.
private struct CopyLayout {
    /// A box that is copied.
    struct Place {
        /// In the old file.
        let payload: Range<Int>
        /// The offset of the payload in the new file.
        let newOffset: Int
    }

    private(set) var pieces = FilePieces()
    private(set) var places: [Place] = []
    var size: Int { pieces.count }
    /// The bytes after the boxes of the old file.
    private(set) var trailing: Range<Int>

    private static let spaceTypes: Set<FourCC> = ["free", "skip", "wide"]

    init(of reader: MovieReader, fileType: [UInt8]) throws {
        let file = reader.file
        let boxes = reader.boxes
        let all = boxes.map { Place(payload: $0.payload, newOffset: 0) }
        // Boxes of free space may hold samples.
        var isUsed = Array(repeating: false, count: boxes.count)
        for track in reader.tracks {
            // Samples outside of boxes would not be copied. Tables that cannot be read are ignored.
            if let sample = try? reader.firstMisplacedSample(of: track), track.kind == .video || track.kind == .audio {
                throw MovieEditError.misplacedSample(sample, trackID: track.id)
            }
            for offset in track.box.media.information.sampleTable.chunkOffsets.offsets {
                if let index = all.lastIndex(at: offset) { isUsed[index] = true }
            }
        }
        trailing = (boxes.last?.range.upperBound ?? 0)..<file.size
        pieces.append(fileType)
        for (index, box) in boxes.enumerated() {
            if box.type == MovieBox.type || box.type == FileTypeBox.type { continue }
            if Self.spaceTypes.contains(box.type), !isUsed[index] { continue }
            if box.type == MetadataBox.type { try Self.check(box, of: file) }
            let payload = box.payload
            // Only the last box of a file may lack a size or be cut off.
            let header =
                box.isOpenEnded || box.isCutOff
                ? BoxHeader(box.type, payloadSize: payload.count).bytes
                : try file.bytes(at: box.offset, count: box.header.size)
            pieces.append(Self.space(before: payload, at: size + header.count))
            pieces.append(header)
            places.append(Place(payload: payload, newOffset: size))
            pieces.append(payload, of: file)
        }
    }

    /// A box of free space before a large box, which keeps the alignment of its payload to the blocks of the file
    /// system. Whole blocks are copied faster, and shared by both files if possible (`OutputFile`).
    ///
    /// - Parameter offset: the offset of the payload without this box.
    private static func space(before payload: Range<Int>, at offset: Int) -> [UInt8] {
        let block = OutputFile.blockSize
        let distance = ((payload.lowerBound - offset) % block + block) % block
        guard payload.count >= OutputFile.sharedSize, distance > 0 else { return [] }
        let size = distance < BoxHeader.shortSize ? distance + block : distance
        var writer = ByteWriter()
        writer.box("free") { $0.append([UInt8](repeating: 0, count: size - BoxHeader.shortSize)) }
        return writer.bytes
    }

    /// Items of a `meta` at the top level can be anywhere in the file (`iloc`; ISO/IEC 14496-12, 8.11.3).
    private static func check(_ box: BoxLocation, of file: InputFile) throws {
        let start = box.payload.lowerBound
        let payload = try file.bytes(at: start, count: min(box.payload.count, MovieLimits.metadataSampleSize))
        var reader = ByteReader(payload, structure: "\(box.type)", fileOffset: start)
        if MetadataBox.form(of: reader) == .iso { try reader.skip(4) }
        while let child = (try? reader.nextBox()) ?? nil {
            if child.type == "iloc" { throw MovieEditError.itemsByPlace(offset: box.offset) }
        }
    }
}

extension [CopyLayout.Place] {
    /// The index of the place, sorted by file offset, whose payload contains a byte.
    fileprivate func lastIndex(at offset: UInt64) -> Int? {
        guard let offset = Int(exactly: offset) else { return nil }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].payload.lowerBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 && self[low - 1].payload.contains(offset) ? low - 1 : nil
    }

    fileprivate func last(at offset: UInt64) -> CopyLayout.Place? { lastIndex(at: offset).map { self[$0] } }
}
