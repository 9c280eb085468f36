import Bytes
import ISOBMFF

/// The file without its movie, in pieces.
extension MotionPhoto {
    /// The pieces of a JPEG with changed Exif data and XMP, without its movie.
    func pieces(
        _ jpeg: JPEG, _ update: ExifUpdate?, _ edit: (_ xmp: [UInt8]?, _ offset: Int) throws -> [UInt8]?
    ) throws -> FilePieces {
        let headEnd = jpeg.segments.last?.range.upperBound ?? 0
        var edited = jpeg
        if let update {
            var exif = jpeg.exif
            edited = try JPEG(jpeg.replacingExif(with: try update.applied(to: exif?.rest(), of: EncodedPicture(jpeg))))
        }
        let xmp = edited.xmpPacket
        var pieces = FilePieces()
        if let new = try edit(xmp?.packet, xmp?.offset ?? 0) {
            pieces.append(try edited.head(withXMP: new))
        } else if update != nil {
            pieces.append(Array(edited.bytes[..<edited.headEnd]))
        } else {
            pieces.append(0..<headEnd, of: photo.file)
        }
        for range in try kept(from: headEnd, without: [video?.range]) { pieces.append(range, of: photo.file) }
        if let rest = try trailer?.withoutMovie(in: photo.file) { pieces.append(rest) }
        return pieces
    }

    /// As the function for a JPEG.
    ///
    /// - Parameter boxesFollow: whether boxes are added at the end.
    func pieces(
        _ heif: HEIF, _ update: ExifUpdate?, boxesFollow: Bool, _ edit: ([UInt8]?) throws -> [UInt8]?
    ) throws -> FilePieces {
        let box = try heif.boxes.first { $0.type == "mpvd" }?.range ?? cutOffBox(heif)
        if let box, let file = try contents(of: heif, freeing: box) {
            return try editedPiece(file, update, boxesFollow: boxesFollow, edit)
        }
        var ranges = try kept(from: 0, without: [box, video?.range])
        // This part holds all items.
        let main = ranges.isEmpty ? 0..<0 : ranges.removeFirst()
        guard main.lowerBound == 0, main.count <= Self.photoLimit else {
            throw ParseError(
                .overLimit, in: "HEIF", at: 0, expected: "at most \(Self.photoLimit) bytes before its movie")
        }
        var pieces = try editedPiece(
            photo.file.bytes(at: 0, count: main.count), update, boxesFollow: boxesFollow, edit)
        for range in ranges {
            let isBoxes =
                heif.boxes.contains { $0.range.lowerBound == range.lowerBound }
                && heif.boxes.contains { $0.range.upperBound == range.upperBound && !$0.isOpenEnded }
            guard isBoxes || !boxesFollow else {
                throw ParseError(
                    .unsupported, in: "HEIF", at: range.lowerBound, expected: "complete boxes after the movie")
            }
            pieces.append(range, of: photo.file)
        }
        if let rest = try trailer?.withoutMovie(in: photo.file) {
            // Samsung's cameras store it in this box in a HEIC without a movie.
            pieces.append(BoxHeader("sefd", payloadSize: rest.count).bytes)
            pieces.append(rest)
        }
        return pieces
    }

    /// A HEIF with changed Exif data and XMP.
    private func editedPiece(
        _ bytes: [UInt8], _ update: ExifUpdate?, boxesFollow: Bool, _ edit: ([UInt8]?) throws -> [UInt8]?
    ) throws -> FilePieces {
        var editor = try HEIFEditor(bytes)
        if let update {
            var tiff = try editor.tiff()
            let new = try update.applied(to: tiff?.rest())
            editor = try HEIFEditor(editor.replacingExif(with: new, keeping: .all))
        }
        var pieces = FilePieces()
        let edited = try editor.replacingXMP(with: try edit(try editor.xmp()), boxesFollow: boxesFollow)
        pieces.append((try? HEIFEditor(edited).withXMPPrefix(hidden: boxesFollow)) ?? edited)
        return pieces
    }

    /// The file with free space in place of a movie's box before data of items, as exiftool writes it: they stay where they are.
    /// Nil if the movie is behind all items.
    private func contents(of heif: HEIF, freeing box: Range<Int>) throws -> [UInt8]? {
        let items = (heif.locations?.items ?? []).filter(\.isInFile).flatMap { (try? heif.ranges(of: $0)) ?? [] }
        let isWholeMovie = trailer == nil && endTexts == nil && video.map { box.contains($0.range.lowerBound) } != false
        guard items.contains(where: { $0.lowerBound >= box.upperBound }), isWholeMovie,
            !items.contains(where: box.overlaps), photo.file.size <= Self.photoLimit
        else { return nil }
        var bytes = try photo.file.bytes(at: 0, count: photo.file.size)
        let isLong = bytes[box].prefix(4).elementsEqual([0, 0, 0, 1])
        let header = box.lowerBound + (isLong ? BoxHeader.longSize : BoxHeader.shortSize)
        guard header <= box.upperBound else { return nil }
        bytes.replaceSubrange(box.lowerBound + 4..<box.lowerBound + 8, with: Array("free".utf8))
        bytes.replaceSubrange(header..<box.upperBound, with: repeatElement(0, count: box.upperBound - header))
        return bytes
    }

    /// The rest of a HEIF if it is a box of a movie whose size is too large.
    private func cutOffBox(_ heif: HEIF) throws -> Range<Int>? {
        guard let start = heif.boxes.last?.range.upperBound,
            let box = try BoxLocation(at: start, end: photo.file.size, read: photo.file.bytes(at:count:))
        else { return nil }
        return box.type == "mpvd" ? box.range : nil
    }

    /// Bytes of a HEIF without its movie, which are read into memory.
    private static let photoLimit = 1 << 30

    /// The rest of the file from `start`, without these ranges and the trailers of cameras that lead to
    /// the movie.
    func kept(from start: Int, without ranges: [Range<Int>?]) throws(ParseError) -> [Range<Int>] {
        var removed = (ranges + [endTexts]).compactMap(\.self)
        if let first = trailer?.records.map(\.range.lowerBound).min() { removed.append(first..<photo.file.size) }
        var kept: [Range<Int>] = []
        var place = start
        for range in removed.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard range.lowerBound >= start else {
                throw ParseError(
                    .invalidValue, in: "motion photo", at: range.lowerBound,
                    expected: "a movie after the photo's headers, which end at byte \(start)")
            }
            if range.lowerBound > place { kept.append(place..<range.lowerBound) }
            place = max(place, range.upperBound)
        }
        if place < photo.file.size { kept.append(place..<photo.file.size) }
        return kept
    }
}
