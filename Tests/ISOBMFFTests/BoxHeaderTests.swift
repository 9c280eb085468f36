import Bytes
import ISOBMFF
import TestSupport
import Testing

@Suite struct BoxHeaderTests {
    @Test(
        arguments: [
            ("00000008 'free'", 8, 0), ("0000000A 'free'", 8, 2), ("FFFFFFFF 'free'", 8, 0xFFFF_FFF7),
            ("00000000 'free'", 8, nil), ("00000001 'mdat' 0000000000000010", 16, 0),
            ("00000001 'mdat' 0000000100000000", 16, 0xFFFF_FFF0), ("00000001 'mdat' 7FFFFFFFFFFFFFFF", 16, .max - 16),
            ("00000018 'uuid'", 8, 16), ("00000008 00000000", 8, 0),
        ] as [(String, Int, Int?)])
    func `a header is read, and nothing after it`(bytes: String, size: Int, payloadSize: Int?) throws {
        var reader = ByteReader(hex(bytes) + [0xFF], structure: "test")
        let header = try BoxHeader(from: &reader)
        #expect(header.size == size && header.payloadSize == payloadSize)
        #expect(reader.remaining == 1)
        #expect(header.bytes == hex(bytes))
    }

    @Test(arguments: ["00000008 'free'", "00000000 'free'", "00000001 'mdat' 0000000000000010"])
    func `a header cut off anywhere is an error`(bytes: String) {
        for count in 0..<hex(bytes).count {
            let error = #expect(throws: ParseError.self, "cut to \(count) bytes") {
                var reader = ByteReader(Array(hex(bytes).prefix(count)), structure: "test")
                _ = try BoxHeader(from: &reader)
            }
            #expect(error?.code == .truncated)
        }
    }

    @Test(arguments: [
        "00000002 'free'", "00000007 'free'", "00000001 'free' 0000000000000000", "00000001 'free' 000000000000000F",
        "00000001 'free' 8000000000000000", "00000001 'free' FFFFFFFFFFFFFFFF",
    ])
    func `a size that no box can have is an error at the box`(bytes: String) {
        let error = #expect(throws: ParseError.self) {
            var reader = ByteReader(hex(bytes), structure: "test", fileOffset: 100)
            _ = try BoxHeader(from: &reader)
        }
        #expect(error?.code == .invalidValue && error?.offset == 100)
    }

    @Test(arguments: [(0, 8), (0xFFFF_FFF7, 8), (0xFFFF_FFF8, 16), (1 << 40, 16)])
    func `a header is as long as its box needs it`(payloadSize: Int, size: Int) throws {
        let header = BoxHeader("mdat", payloadSize: payloadSize)
        #expect(header.size == size && header.bytes.count == size)
        var reader = ByteReader(header.bytes, structure: "test")
        #expect(try BoxHeader(from: &reader) == header)
    }
}

@Suite struct FullBoxTests {
    @Test(
        arguments: [("0000000A", 0, 0xA), ("01FFFFFF", 1, 0xFF_FFFF), ("FF000000", 255, 0)] as [(String, UInt8, UInt32)]
    )
    func `version and flags are read and written`(bytes: String, version: UInt8, flags: UInt32) throws {
        var reader = ByteReader(hex(bytes), structure: "test")
        #expect(try reader.fullBoxHeader(latest: .max) == (version, flags))
        var writer = ByteWriter()
        writer.fullBoxHeader(version: version, flags: flags)
        #expect(writer.bytes == hex(bytes))
    }

    @Test func `a version of the future is an error that names the box`() {
        let error = #expect(throws: ParseError.self) { try SampleBox(hex("00000010 'smpl' 02000000 00000007")) }
        #expect(error?.code == .unsupported && error?.structure == "smpl")
    }

    @Test(
        arguments: [
            ("00000000 00000007", 7), ("01000000 0000000100000000", 1 << 32), ("00000000 FFFFFFFF", nil),
            ("01000000 FFFFFFFFFFFFFFFF", nil), ("01000000 00000000FFFFFFFF", 0xFFFF_FFFF),
        ] as [(String, UInt64?)])
    func `a duration is as wide as the version says`(bytes: String, duration: UInt64?) throws {
        var reader = ByteReader(hex(bytes), structure: "test")
        let version = try reader.fullBoxHeader(latest: 1).version
        #expect(try reader.versionedDuration(version) == duration)
        try reader.finish()
        var writer = ByteWriter()
        writer.fullBoxHeader(version: version)
        writer.versionedDuration(duration, version)
        #expect(writer.bytes == hex(bytes))
    }
}
