import Bytes
import MediaModel
import QuickTime
import TestSupport
import Testing

@Suite struct BoxTreeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A line a box: two blanks for each box around, type, offset and size, annotation.
    private func text(_ tree: BoxTree) -> [String] {
        tree.nodes.map { node in
            let cut = node.isCutOff ? " cut" : ""
            let annotation = node.annotation.isEmpty ? "" : " \(node.annotation)"
            return
                "\(String(repeating: "  ", count: node.depth))\(node.type) \(node.offset)+\(node.size)\(cut)\(annotation)"
        }
    }

    private func text(_ bytes: [UInt8]) throws -> [String] { try text(BoxTree(of: folder.file(bytes))) }

    @Test func `the boxes of a written movie`() throws {
        let tree = try BoxTree(of: TestMovie(audioPackets: 12).write(in: folder))
        #expect(!tree.isAbridged)
        let lines = text(tree).map { line in
            // Without offset and size.
            line.split(separator: " ", omittingEmptySubsequences: false).filter { !$0.contains("+") }
                .joined(separator: " ")
        }
        let wanted = """
            ftyp qt, compatible with qt
            wide
            mdat
            moov
              mvhd 200 ticks of 1/600 s
              trak
                tkhd track 1, 200 ticks
                tapt
                  clef 1920×1080
                  prof 1920×1080
                  enof 1920×1080
                edts
                  elst 200 ticks from 40
                mdia
                  mdhd 200 ticks of 1/600 s
                  hdlr vide “Core Media Video”
                  minf
                    vmhd
                    hdlr alis “Core Media Data Handler”
                    dinf
                      dref
                        alis
                    stbl
                      stsd 1 entry
                        avc1 H.264 High, level 4.0, 1920×1080
                          avcC
                          colr nclc 1/1/1
            """
        #expect(lines.prefix(27).joined(separator: "\n") == wanted)
        for line in [
            "            mp4a AAC-LC, 48000 Hz, 2 channels", "      cdsc to track 1", "            mebx",
            "                \\x00\\x00\\x00\\x01 local id 1",
            "                  keyd com.apple.quicktime.still-image-time", "                  dtyp int8",
            "      elst 80 ticks empty, 1 tick from 0", "    keys 1 key",
            "      \\x00\\x00\\x00\\x01 key 1, com.apple.quicktime.content.identifier",
            "        data UTF-8: \(TestMovie.identifier)",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func `places and sizes are those of the file, whatever the form of the header`() throws {
        let lines = try text(
            hex(
                """
                00000008 'wide'
                00000001 'moov' 0000000000000018 00000008 'free'
                00000000 'mdat' 0102
                """))
        #expect(lines == ["wide 0+8", "moov 8+24", "  free 24+8", "mdat 32+10"])
    }

    @Test func `a HEIF file's boxes nest after versions and counts`() throws {
        let lines = try text(
            hex(
                """
                00000014 'ftyp' 'heic' 00000000 'mif1'
                00000075 'meta' 00000000
                  0000000e 'pitm' 00000000 0007
                  00000023 'iinf' 00000000 0001
                    00000015 'infe' 02000001 0007 0000 'hvc1' 00
                  00000024 'iprp' 0000001c 'ipco'
                    00000014 'ispe' 00000000 00000280 00000380
                  00000014 'iref' 00000000 00000008 'cdsc'
                """))
        #expect(
            lines.prefix(8) == [
                "ftyp 0+20 heic, compatible with mif1", "meta 20+117", "  pitm 32+14 item 7", "  iinf 46+35",
                "    infe 60+21 item 7, hvc1", "  iprp 81+36", "    ipco 89+28", "      ispe 97+20 640×896",
            ])
        #expect(lines.suffix(2) == ["  iref 117+20", "    cdsc 129+8"])
    }

    @Test(arguments: [
        ("", []), ("00", []), ("00000000 00000000 0102", []), ("00000007 'free'", []),
        ("ffd8ffe0 00104a46", ["\\x00\\x10JF 0+4292411360 cut"]),
        ("00000010 'moov' 01", ["moov 0+16 cut"]),
        ("00000010 'moov' 00000009 'free'", ["moov 0+16", "  free 8+9 cut"]),
        ("00000001 'mdat' 7fffffffffffffff", ["mdat 0+9223372036854775807 cut"]),
        ("00000010 'stsd' 00000000 ffffffff", ["stsd 0+16 4294967295 entries"]),
        ("0000000c 'tkhd' 00000000", ["tkhd 0+12"]),
    ])
    func `damage ends a list and nothing else`(bytes: String, lines: [String]) throws {
        #expect(try text(hex(bytes)) == lines)
    }

    @Test func `boxes in each other without end are listed down to a depth`() throws {
        var bytes: [UInt8] = []
        for _ in 0..<1000 { bytes = box("moov", bytes) }
        let tree = try BoxTree(of: folder.file(bytes))
        #expect(tree.isAbridged && tree.nodes.count == 24)
    }

    @Test func `more boxes than any real file has are listed up to a number`() throws {
        let tree = try BoxTree(of: folder.file([[UInt8]](repeating: box("free", []), count: 100_001).flatMap { $0 }))
        #expect(tree.isAbridged && tree.nodes.count == 100_000)
    }

    @Test(.seeded) func `any bytes changed, or cut off, are another tree`() throws {
        var random = SeededGenerator()
        let original = try TestMovie(audioPackets: 12).write(in: folder).contents(limit: 1 << 20)
        for round in 0..<150 {
            var bytes = Array(original.prefix(Int.random(in: original.count / 2...original.count, using: &random)))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] =
                    [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            }
            let tree = try BoxTree(of: folder.file(bytes))
            #expect(tree.nodes.count < bytes.count / 8, "round \(round)")
            #expect(tree.nodes.allSatisfy { $0.offset + $0.headerSize <= bytes.count }, "round \(round)")
        }
    }
}
