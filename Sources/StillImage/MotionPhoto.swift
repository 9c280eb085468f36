package import Bytes
import ISOBMFF
package import MediaModel

/// Takes the movie out of a motion photo, or adds a movie to a photo. The picture's data and everything else in the
/// file are copied unchanged.
package struct MotionPhoto: Sendable {
    /// The movie in the file; nil if there is none.
    package let video: EmbeddedVideo?
    private let photo: PhotoReader
    private let trailer: SamsungTrailer?

    /// A photo whose movie is cut off, or is not at its stated location, counts as one without a movie.
    ///
    /// - Throws: `Errno` of pread(2).
    package init(_ photo: PhotoReader) throws {
        func attempt<Value>(_ read: () throws -> Value?) throws -> Value? {
            do { return try read() } catch is ParseError { return nil }
        }
        self.photo = photo
        video = try attempt { try EmbeddedVideo(photo) }
        trailer = video?.kind == .samsung ? try attempt { try SamsungTrailer(photo.file) } : nil
    }

    /// The photo without its movie and without metadata about one.
    ///
    /// - Throws: `ParseError` for a damaged file, or one in which the change would damage something else; `Errno` of
    ///   pread(2).
    package func still() throws -> FilePieces {
        switch photo.container {
        case .jpeg(let jpeg):
            return try pieces(jpeg) { xmp, _ in xmp.flatMap(Self.withoutMovie) }
        case .heif(let heif):
            return try pieces(heif, boxesFollow: false) { $0.flatMap(Self.withoutMovie) }
        }
    }

    /// Nil if nothing changes, also for XMP that cannot be read, in which no reader finds a movie.
    private static func withoutMovie(_ xmp: [UInt8]) -> [UInt8]? {
        guard let new = try? MotionPhotoXMP(xmp).withoutMovie(), new != xmp else { return nil }
        return new
    }

    /// The photo with another movie, at the file's end as Motion Photo 1.0 requires.
    ///
    /// - Parameters:
    ///   - movie: the movie, which begins with a box `ftyp`.
    ///   - presentationTime: the time in the movie at which the photo was taken; nil if unknown.
    /// - Throws: as `still()`; `ParseError` for XMP that cannot be read, or gets too long for a JPEG.
    package func with(_ movie: FilePieces, presentationTime: MediaTime?) throws -> FilePieces {
        var head = ByteReader(try movie.head(BoxHeader.longSize + 4), structure: "movie")
        guard try BoxHeader(from: &head).type == "ftyp" else {
            throw ParseError(
                .missing, in: "movie", at: 0,
                expected: "a box ftyp, by which players recognize an MP4 or QuickTime movie")
        }
        let box = BoxHeader("mpvd", payloadSize: movie.count).bytes
        let isJPEG = photo.format == .jpeg
        let description = MotionPhotoXMP.Movie(
            photoType: "image/" + photo.format.rawValue, padding: isJPEG ? 0 : box.count,
            type: try head.fourCC() == "qt  " ? "video/quicktime" : "video/mp4", length: movie.count,
            presentationMicroseconds: presentationTime?.rescaled(to: 1_000_000).value)
        var result: FilePieces
        switch photo.container {
        case .jpeg(let jpeg):
            result = try pieces(jpeg) { xmp, offset in
                try MotionPhotoXMP(xmp ?? [], fileOffset: offset).with(description)
            }
        case .heif(let heif):
            result = try pieces(heif, boxesFollow: true) { try MotionPhotoXMP($0 ?? []).with(description) }
            result.append(box)
        }
        result.append(movie)
        return result
    }

    private func pieces(
        _ jpeg: JPEG, _ edit: (_ xmp: [UInt8]?, _ offset: Int) throws -> [UInt8]?
    ) throws -> FilePieces {
        let xmp = jpeg.xmpPacket
        let headEnd = jpeg.segments.last?.range.upperBound ?? 0
        var pieces = FilePieces()
        if let new = try edit(xmp?.packet, xmp?.offset ?? 0) {
            pieces.append(try jpeg.head(withXMP: new))
        } else {
            pieces.append(0..<headEnd, of: photo.file)
        }
        for range in try kept(from: headEnd, without: [video?.range]) { pieces.append(range, of: photo.file) }
        if let rest = try trailer?.withoutMovie(in: photo.file) { pieces.append(rest) }
        return pieces
    }

    private func pieces(
        _ heif: HEIF, boxesFollow: Bool, _ edit: ([UInt8]?) throws -> [UInt8]?
    ) throws -> FilePieces {
        let box = heif.boxes.first { $0.type == "mpvd" }?.range
        var ranges = try kept(from: 0, without: [box, video?.range])
        // This part holds all items: the editor rejects a photo with items after the movie.
        let main = ranges.isEmpty ? 0..<0 : ranges.removeFirst()
        guard main.lowerBound == 0, main.count <= Self.photoLimit else {
            throw ParseError(
                .overLimit, in: "HEIF", at: 0, expected: "at most \(Self.photoLimit) bytes before its movie")
        }
        let editor = try HEIFEditor(photo.file.bytes(at: 0, count: main.count))
        var pieces = FilePieces()
        pieces.append(try editor.replacingXMP(with: try edit(try editor.xmp()), boxesFollow: boxesFollow))
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

    /// Bytes of a HEIF without its movie, which are read into memory.
    private static let photoLimit = 1 << 30

    /// The rest of the file from `start`, without these ranges and Samsung's trailer.
    private func kept(from start: Int, without ranges: [Range<Int>?]) throws(ParseError) -> [Range<Int>] {
        var removed = ranges.compactMap(\.self)
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
