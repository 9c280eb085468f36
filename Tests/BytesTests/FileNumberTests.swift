import Bytes
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Numbers that a file system can report, however large.
struct FileNumberTests {
    /// Seconds since 1970: before 1901 and 1970, the ends of 32 bits, of the nanoseconds in 64 bits (11 April 2262), of
    /// and of ext4 (2446).
    static let times = [
        -2_208_988_800, -2_147_483_649, -1, 0, 2_147_483_648, 9_223_372_036, 9_223_372_037, 10_413_792_000,
        15_032_385_535, 15_032_385_536,
    ]

    @Test func `times of files are compared however far they are from today`() {
        let values = Self.times.flatMap { seconds in
            [0, 1, 999_999_999].map {
                FileTimes.Time(secondsSince1970: seconds, nanoseconds: $0).nanosecondsSince1970
            }
        }
        #expect(Set(values).count == values.count)
        for seconds in [Int.min, .max] {
            _ = FileTimes.Time(secondsSince1970: seconds, nanoseconds: 999_999_999).nanosecondsSince1970
        }
    }

    @Test func `times of files are read and set as far as the file system has them`() throws {
        let folder = try TemporaryFolder(["file": ""])
        let path = folder.path.appending("file")
        for seconds in [-2_147_483_648, -1, 9_223_372_037, 10_413_792_000] {
            try FileTimes.set(path, secondsSince1970: Int64(seconds))
            let times = try FileTimes(of: path)
            #expect(times.modification.secondsSince1970 == seconds)
            try times.set(path)
        }
    }

    @Test(
        arguments: [
            (0, 4096, 0), (10, 4096, 40960), (1 << 52, 4096, Int.max), (.max, .max, .max), (.max, 1, .max),
        ] as [(UInt64, UInt64, Int)])
    func `free space is never more than the largest integer`(blocks: UInt64, size: UInt64, expected: Int) {
        #expect(FreeSpace.bytes(blocks: blocks, ofSize: size) == expected)
    }

    @Test func `pieces of files that are larger together than any integer have the largest size`() throws {
        let file = try inputFile([1, 2, 3])
        var pieces = FilePieces()
        for _ in 0..<3 { pieces.append(0..<Int.max, of: file) }
        pieces.append([1])
        #expect(pieces.count == .max)
    }
}
