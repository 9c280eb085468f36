import Bytes
import ISOBMFF

/// The boxes of a movie in a photo's file, as far as they show whether it is complete.
enum MovieStructure {
    /// Fragments included; a motion photo's movie lasts a few seconds.
    private static let boxLimit = 4096
    private static let mediaTypes: Set<FourCC> = ["mdat", "moof", "moov"]

    /// The end of the last box of the movie that begins a range; nil if it is not a complete movie with `ftyp`, `moov` with
    /// a track, and media.
    ///
    /// - Throws: `Errno` of pread(2).
    static func end(of range: Range<Int>, in file: InputFile) throws -> Int? {
        let boxes = try BoxLocation.all(in: range, limit: boxLimit, read: file.bytes(at:count:))
        guard boxes.first?.type == "ftyp" else { return nil }
        let movie = boxes.prefix { !$0.isCutOff && $0.type.isPrintable }
        if movie.count < boxes.count, mediaTypes.contains(boxes[movie.count].type) { return nil }
        guard let description = movie.first(where: { $0.type == "moov" }),
            movie.contains(where: { ["mdat", "moof"].contains($0.type) })
        else { return nil }
        let parts = try BoxLocation.all(in: description.payload, limit: boxLimit, read: file.bytes(at:count:))
        guard parts.contains(where: { $0.type == "mvhd" }), parts.contains(where: { $0.type == "trak" }) else {
            return nil
        }
        return movie.last?.range.upperBound
    }
}

extension PhotoReader {
    /// Bytes read at a time.
    private static let searchStep = 1 << 20
    /// How far into a file a movie is looked for. No photo is that large, and a file made to waste time may be of any size:
    /// one of holes, which are left out, costs nothing on the disk.
    package static let searchedSize = 1 << 28
    /// A file made to waste time may hold any number of beginnings.
    private static let searchedBeginnings = 32
    /// Longer lists of brands are not written.
    private static let fileTypeLimit = 1024

    /// Whether the photo has a movie in it, or states that it has one. Of most other photos, only a few bytes are read
    /// besides the headers.
    package var isMotionPhoto: Bool {
        guard mayEndWithMovie || mayStateMovie || hasSamsungMovie else { return false }
        do {
            return try EmbeddedVideo(self) != nil || xmp()?.statesMovie == true
        } catch is ParseError {
            // A movie is described that is not there, unless it is the XMP that cannot be read.
            return if case .success = Result(catching: xmp) { true } else { false }
        } catch {
            return false
        }
    }

    /// Whether Samsung's trailer lists a movie.
    private var hasSamsungMovie: Bool {
        (try? SamsungTrailer(file))?.records.contains { $0.type == SamsungTrailer.motionPhotoData } ?? false
    }

    /// Whether XMP may have a property in Google's name space. Reading all properties takes longer than all other headers.
    private var mayStateMovie: Bool {
        guard case .jpeg(let jpeg) = container else { return true }
        return jpeg.xmpPacket?.packet.firstRange(of: Array("google.com/photos/".utf8)) != nil
    }

    /// Whether data follows the photo that may be a movie. Few bytes are read.
    var mayEndWithMovie: Bool {
        switch container {
        case .jpeg:
            let trailer = (try? SamsungTrailer(file))?.records.map(\.range.lowerBound).min()
            let end = trailer ?? file.size
            // A JPEG ends with this marker.
            return (try? file.bytes(at: max(end - 2, 0), count: 2)) != [0xFF, 0xD9]
        case .heif(let heif):
            return heif.boxes.dropFirst().contains { $0.type == "ftyp" }
                || (heif.boxes.last?.range.upperBound ?? 0) < file.size
        }
    }

    /// The first complete movie after the photo's headers that begins in the part that is searched.
    ///
    /// - Throws: `Errno` of pread(2).
    func searchMovie() throws -> Range<Int>? {
        var place =
            switch container {
            case .jpeg(let jpeg): jpeg.headEnd
            case .heif(let heif): heif.boxes.first?.range.upperBound ?? 0
            }
        var rest = Self.searchedBeginnings
        while rest > 0, let start = try beginning(from: place) {
            if let end = try MovieStructure.end(of: start..<file.size, in: file) { return start..<end }
            place = start + BoxHeader.shortSize
            rest -= 1
        }
        return nil
    }

    /// The offset of the next box `ftyp`.
    private func beginning(from start: Int) throws -> Int? {
        var start = file.data(from: start)
        while start < min(file.size, Self.searchedSize) {
            let bytes = try file.bytes(at: start, count: Self.searchStep)
            var place = 0
            while let type = bytes.fileType(from: place) {
                let size = bytes[type - 4..<type].reduce(0) { $0 << 8 | Int($1) }
                if (16...Self.fileTypeLimit).contains(size), size.isMultiple(of: 4) { return start + type - 4 }
                place = type - 3
            }
            guard bytes.count == Self.searchStep else { return nil }
            let next = start + bytes.count
            let data = file.data(from: next)
            start = data > next ? data : next - (BoxHeader.shortSize - 1)
        }
        return nil
    }
}

extension [UInt8] {
    /// The index of the first `ftyp` that has a size field before it, which begins at `start` at the earliest.
    fileprivate func fileType(from start: Int) -> Int? {
        var last = start + 7
        // The byte at the end of a possible match shows how far the next one is.
        while last < count {
            switch self[last] {
            case UInt8(ascii: "p"):
                if self[last - 1] == UInt8(ascii: "y"), self[last - 2] == UInt8(ascii: "t"),
                    self[last - 3] == UInt8(ascii: "f")
                {
                    return last - 3
                }
                last += 4
            case UInt8(ascii: "y"): last += 1
            case UInt8(ascii: "t"): last += 2
            case UInt8(ascii: "f"): last += 3
            default: last += 4
            }
        }
        return nil
    }
}

extension FourCC {
    /// Whether it is one of the types that movies use, rather than other data.
    fileprivate var isPrintable: Bool {
        (0..<4).allSatisfy { (0x20..<0x7F).contains(rawValue >> (8 * $0) & 0xFF) }
    }
}
