package import Bytes
import ISOBMFF

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
    /// dropped; all other top-level boxes are copied unchanged. Of a movie that was cut or lost tracks (`MovieCut`,
    /// `withoutSound`), only the media that is still used is copied.
    ///
    /// - Throws: `MovieEditError`; `Errno` of reading.
    package func copy() throws -> FilePieces {
        guard reader.replacement == nil else { return try copyOfUsedMedia() }
        let layout = try CopyLayout(of: reader, fileType: copiedFileType())
        var pieces = try appendingMovie(to: layout.pieces, moving: layout.newOffset)
        // Data after the last box that is not a box, such as a camera's; readers stop there.
        pieces.append((reader.boxes.last?.range.upperBound ?? 0)..<reader.file.size, of: reader.file)
        return pieces
    }

    /// The copy of a movie of which tracks or parts were left out: only the samples that are still used, in the same
    /// order, instead of all media.
    private func copyOfUsedMedia() throws -> FilePieces {
        var pieces = FilePieces()
        pieces.append(try copiedFileType())
        let omitted: Set<FourCC> = [MovieBox.type, FileTypeBox.type, "mdat", "free", "skip", "wide"]
        for box in reader.boxes where !omitted.contains(box.type) && !box.isOpenEnded && !box.isCutOff {
            if box.type == MetadataBox.type { try CopyLayout.check(box, of: reader.file) }
            pieces.append(box.range, of: reader.file)
        }
        let places = try ChunkPlaces(of: reader.replacingMovie(by: movie).tracks, in: reader.file)
        pieces.append(BoxHeader("mdat", payloadSize: places.size).bytes)
        let start = pieces.count
        for range in places.ranges { pieces.append(range, of: reader.file) }
        return try appendingMovie(to: pieces) { offset in places.place(of: offset).map { UInt64(start + $0) } }
    }

    private func appendingMovie(
        to media: FilePieces, moving move: @escaping (UInt64) -> UInt64?
    ) throws -> FilePieces {
        var pieces = media
        if let mediaData { pieces.append(mediaData.bytes) }
        pieces.append(try movieBytes(sampleOffset: media.count + BoxHeader.shortSize, moving: move))
        return pieces
    }

    /// `ftyp` of a QuickTime movie if the movie becomes one or has no `ftyp`; otherwise the old one unchanged.
    private func copiedFileType() throws -> [UInt8] {
        if let old = reader.boxes.first(where: { $0.type == FileTypeBox.type }), mediaData == nil {
            return try reader.file.bytes(at: old.offset, count: min(old.range.count, 1 << 17))
        }
        return OpaqueBox(writing: FileTypeBox.quickTime).bytes
    }
}

/// The layout of the boxes in a copy of a movie.
private struct CopyLayout {
    private(set) var pieces = FilePieces()
    /// The copied boxes in the old file, and the offsets of their payloads in the new file.
    private var boxes: [BoxLocation] = []
    private var payloadOffsets: [Int] = []

    private static let spaceTypes: Set<FourCC> = ["free", "skip", "wide"]

    init(of reader: MovieReader, fileType: [UInt8]) throws {
        let file = reader.file
        // Boxes of free space may hold samples.
        var isUsed = Array(repeating: false, count: reader.boxes.count)
        for track in reader.tracks {
            // Samples outside of boxes would not be copied. Tables that cannot be read are ignored.
            if let sample = try? reader.firstMisplacedSample(of: track), track.kind == .video || track.kind == .audio {
                throw MovieEditError.misplacedSample(sample, trackID: track.id)
            }
            for offset in track.box.media.information.sampleTable.chunkOffsets.offsets {
                if let index = reader.boxes.index(containing: offset) { isUsed[index] = true }
            }
        }
        pieces.append(fileType)
        for (index, box) in reader.boxes.enumerated() {
            if box.type == MovieBox.type || box.type == FileTypeBox.type { continue }
            if Self.spaceTypes.contains(box.type), !isUsed[index] { continue }
            if box.type == MetadataBox.type { try Self.check(box, of: file) }
            // Only the last box of a file may lack a size or be cut off.
            let header =
                box.isOpenEnded || box.isCutOff
                ? BoxHeader(box.type, payloadSize: box.payload.count).bytes
                : try file.bytes(at: box.offset, count: box.header.size)
            pieces.append(Self.space(before: box.payload, at: pieces.count + header.count))
            pieces.append(header)
            boxes.append(box)
            payloadOffsets.append(pieces.count)
            pieces.append(box.payload, of: file)
        }
    }

    /// The new offset of a byte; nil if the byte is not copied.
    func newOffset(of offset: UInt64) -> UInt64? {
        boxes.index(containing: offset).map {
            UInt64(payloadOffsets[$0]) + (offset - UInt64(boxes[$0].payload.lowerBound))
        }
    }

    /// A box of free space before a large box, which keeps the alignment of its payload to the blocks of the file
    /// system. Complete blocks are copied faster, and shared by both files if possible (`OutputFile`).
    ///
    /// - Parameter offset: the offset of the payload without this box.
    private static func space(before payload: Range<Int>, at offset: Int) -> [UInt8] {
        let block = OutputFile.blockSize
        let distance = ((payload.lowerBound - offset) % block + block) % block
        guard payload.count >= OutputFile.sharedSize, distance > 0 else { return [] }
        let size = distance < BoxHeader.shortSize ? distance + block : distance
        return OpaqueBox("free") { $0.zeros(size - BoxHeader.shortSize) }.bytes
    }

    /// Throws if a `meta` at the top level has `iloc`: its items can be anywhere in the file (ISO/IEC 14496-12, 8.11.3).
    static func check(_ box: BoxLocation, of file: InputFile) throws {
        let start = box.payload.lowerBound
        let payload = try file.bytes(at: start, count: min(box.payload.count, MovieLimits.metadataSampleSize))
        var reader = ByteReader(payload, structure: "\(box.type)", fileOffset: start)
        if MetadataBox.form(of: reader) == .iso { try reader.skip(4) }
        while let child = (try? reader.nextBox()) ?? nil {
            if child.type == "iloc" { throw MovieEditError.itemsByPlace(offset: box.offset) }
        }
    }
}

extension [BoxLocation] {
    /// The index of the box whose payload contains a byte, in a list sorted by offset.
    fileprivate func index(containing offset: UInt64) -> Int? {
        guard let offset = Int(exactly: offset), let index = lastIndex(at: offset) else { return nil }
        return self[index].payload.contains(offset) ? index : nil
    }
}
