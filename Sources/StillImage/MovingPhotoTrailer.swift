import Bytes
import ISOBMFF

/// The trailer of a moving photo of Huawei or Honor: three texts of 20 bytes at the end of the file, padded with spaces.
///
/// They are `v3_f30` (the version and the frame of the photo), `0:0` (what is played of the movie) and `LIVE_` with the
/// number of bytes from the movie's beginning to the end of the first text. OpenHarmony's `moving_photo_file_utils.h` has
/// the sizes.
struct MovingPhotoTrailer: Hashable, Sendable {
    static let size = 3 * fieldSize
    private static let fieldSize = 20
    private static let name = "moving photo trailer"

    /// The frame of the movie that the photo shows, counted from 0; nil if it is not stated.
    let coverFrame: Int?
    /// Bytes from the movie's beginning to this trailer. Other data may follow the movie.
    let movieCount: Int
    /// The range of the trailer in the file.
    let range: Range<Int>

    /// Nil for a file that does not end with a trailer.
    ///
    /// - Throws: `ParseError` if the movie is not within the file; `Errno` of pread(2).
    init?(_ file: InputFile) throws {
        guard file.size >= Self.size else { return nil }
        let start = file.size - Self.size
        let bytes = try file.bytes(at: start, count: Self.size)
        guard bytes.count == Self.size, let tag = Self.field(2, bytes), tag.starts(with: Array("LIVE_".utf8)),
            let count = Self.number(tag.dropFirst(5))
        else { return nil }
        guard count > Self.fieldSize, count - Self.fieldSize <= start else {
            throw ParseError(
                .invalidValue, in: Self.name, at: file.size - Self.fieldSize,
                expected: "a movie within the file's \(file.size) bytes, found \(count) bytes")
        }
        movieCount = count - Self.fieldSize
        range = start..<file.size
        // `v3_f30`, also with a letter between: `v3_f30_c`.
        let version = Self.field(0, bytes) ?? []
        coverFrame = version.firstIndex(of: UInt8(ascii: "f")).flatMap { mark in
            Self.number(version[(mark + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        }
    }

    /// A movie with a trailer, which is in a box, so that readers of Google's format find boxes alone.
    static func adding(to movie: FilePieces, coverFrame: Int) -> FilePieces {
        var result = movie
        result.append(BoxHeader("free", payloadSize: size).bytes)
        let count = result.count + fieldSize
        let fields = ["v3_f\(coverFrame)", "0:0", "LIVE_\(count)"]
        result.append(
            fields.flatMap { text in
                Array(text.utf8) + [UInt8](repeating: UInt8(ascii: " "), count: max(fieldSize - text.utf8.count, 0))
            })
        return result
    }

    /// A field without its padding, some writers' zeros included.
    private static func field(_ index: Int, _ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let field = bytes[index * fieldSize..<(index + 1) * fieldSize]
        let end = field.lastIndex { $0 != UInt8(ascii: " ") && $0 != 0 }
        return end.map { field[...$0] }
    }

    /// A decimal number of at most 15 digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count <= 15 else { return nil }
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
}
