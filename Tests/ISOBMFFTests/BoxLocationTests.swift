import Bytes
import Foundation
import ISOBMFF
import SystemPackage
import TestSupport
import Testing

@Suite struct BoxLocationTests {
    private func boxes(_ bytes: [UInt8], from start: Int = 0, limit: Int = 10) -> [BoxLocation] {
        BoxLocation.all(in: start..<bytes.count, limit: limit) { Array(bytes[$0..<$0 + $1]) }
    }

    /// `type offset+header+payload`, and `cut` or `open`.
    private func lines(_ boxes: [BoxLocation]) -> [String] {
        boxes.map {
            "\($0.type) \($0.offset)+\($0.header.size)+\($0.payload.count)" + ($0.isCutOff ? " cut" : "")
                + ($0.isOpenEnded ? " open" : "")
        }
    }

    @Test(
        arguments: [
            ("", []), ("00000008 'wide' 0000000A 'mdat' ABCD", ["wide 0+8+0", "mdat 8+8+2"]),
            ("00000001 'mdat' 0000000000000012 ABCD 00000008 'free'", ["mdat 0+16+2", "free 18+8+0"]),
            ("00000008 'wide' 00000000 'mdat' ABCD", ["wide 0+8+0", "mdat 8+8+2 open"]),
            ("00000008 'wide' 00000009 'mdat'", ["wide 0+8+0", "mdat 8+8+0 cut"]),
            ("00000001 'mdat' 7FFFFFFFFFFFFFFF AB", ["mdat 0+16+1 cut"]),
            ("00000008 'wide' FFFFFFFF 'mdat' AB 00000008 'moov'", ["wide 0+8+0", "mdat 8+8+9 cut"]),
            ("0000001A 'uuid' 000102030405060708090A0B0C0D0E0F ABCD", ["uuid 0+8+18"]),
            // What is no box ends the list.
            ("00000008 'wide' 0000000000000000", ["wide 0+8+0"]), ("00000008 'wide' 00000008 00000000", ["wide 0+8+0"]),
            ("00000008 'wide' 00000007 'free'", ["wide 0+8+0"]), ("00000008 'wide' 000000", ["wide 0+8+0"]),
            ("00000001 'mdat' 000000000000000F", []), ("00000001 'mdat' FFFFFFFFFFFFFFFF", []),
            ("00000001 'mdat' 00000000", []),
        ] as [(String, [String])])
    func `the boxes of a file are found up to its end or to what is no box`(bytes: String, expected: [String]) {
        #expect(lines(boxes(hex(bytes))) == expected)
    }

    @Test func `a file cut off anywhere gives the boxes before, and at most one that is cut off`() {
        let bytes = hex("0000000A 'wide' ABCD 00000001 'mdat' 0000000000000012 ABCD 0000000C 'moov' 01020304")
        let starts = [0, 10, 28]
        let headers = [8, 16, 8]
        for count in bytes.indices {
            let found = boxes(Array(bytes.prefix(count)))
            #expect(found.map(\.offset) == zip(starts, headers).filter { $0 + $1 <= count }.map(\.0), "\(count) bytes")
            #expect(found.dropLast().allSatisfy { !$0.isCutOff })
            #expect(found.last.map { $0.isCutOff || $0.range.upperBound <= count } ?? true)
            #expect(found.allSatisfy { $0.range.upperBound <= count })
        }
    }

    @Test(arguments: [(0, 0), (1, 1), (3, 3), (4, 3)]) func `no more boxes are listed than asked for`(
        limit: Int, count: Int
    ) {
        #expect(boxes(hex("00000008 'free' 00000008 'free' 00000008 'free'"), limit: limit).count == count)
    }

    @Test func `the boxes in a part of a file have their places in the file`() {
        let bytes = hex("00000014 'meta' 0000000C 'free' ABCDEF00")
        #expect(lines(boxes(bytes, from: 8)) == ["free 8+8+4"])
    }

    @Test func `no more than a header is read of each box`() {
        let bytes = hex("0000000A 'wide' ABCD 0000000C 'moov' 01020304")
        var reads: [Range<Int>] = []
        _ = BoxLocation.all(in: 0..<bytes.count, limit: 10) { offset, count in
            reads.append(offset..<offset + count)
            return Array(bytes[offset..<offset + count])
        }
        #expect(reads == [0..<16, 10..<22])
    }

    @Test func `a box is read from its file, as much of it as there is, and no more than the limit`() throws {
        let path = FilePath(FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path)
        defer { try? FileManager.default.removeItem(atPath: path.string) }
        let output = try OutputFile(creating: path)
        try output.write(hex("0000000A 'wide' ABCD 0000000C 'moov' 0102"))
        try output.flush()
        let file = try InputFile(path)
        let boxes = try BoxLocation.all(in: 0..<file.size, limit: 10, read: file.bytes(at:count:))
        #expect(lines(boxes) == ["wide 0+8+2", "moov 10+8+2 cut"])
        for (box, expected) in zip(boxes, [[0xAB, 0xCD], [1, 2]] as [[UInt8]]) {
            let child = try box.read(from: file, limit: 4)
            var payload = child.payload
            #expect(child.type == box.type && child.range == box.range)
            #expect(payload.structure == "\(box.type)" && payload.rest() == expected)
        }
        let error = #expect(throws: ParseError.self) { try boxes[1].read(from: file, limit: 3) }
        #expect(error?.code == .overLimit && error?.offset == 10)
    }
}
