import Bytes
import QuickTime
import TestSupport
import Testing

@Suite struct SampleTableBoxTests {
    @Test func stts() throws {
        let payload = hex("00000000 00000002 00000001 0000006b 00000012 00000014")
        let box = try checkRoundTrip(TimeToSampleBox.self, payload: payload)
        checkTruncation(TimeToSampleBox.self, payload: payload)
        #expect(box.entries.map(\.count) == [1, 18])
        #expect(box.entries.map(\.duration) == [107, 20])
    }

    @Test(arguments: ["00000000", "01000000"]) func `ctts has signed offsets in both versions`(version: String) throws {
        let payload = hex(version + "00000002 00000001 0000003c 00000001 ffffffd8")
        let box = try checkRoundTrip(CompositionOffsetBox.self, payload: payload)
        checkTruncation(CompositionOffsetBox.self, payload: payload)
        #expect(box.entries.map(\.offset) == [60, -40])
    }

    @Test func stss() throws {
        let payload = hex("00000000 00000002 00000001 00000012")
        #expect(try checkRoundTrip(SyncSampleBox.self, payload: payload).sampleNumbers == [1, 18])
        checkTruncation(SyncSampleBox.self, payload: payload)
    }

    @Test func stsc() throws {
        let payload = hex("00000000 00000002 00000001 00000010 00000001 00000002 0000001e 00000001")
        let box = try checkRoundTrip(SampleToChunkBox.self, payload: payload)
        checkTruncation(SampleToChunkBox.self, payload: payload)
        #expect(box.entries.map(\.firstChunk) == [1, 2])
        #expect(box.entries.map(\.samplesPerChunk) == [16, 30])
    }

    @Test(arguments: [
        ("00000000 00000000 00000002 00000005 00000000", SampleSizeBox.Sizes.each([5, 0]), 2),
        ("00000000 00000009 00000001", .uniform(size: 9, count: 1), 1),
        ("00000000 00000002 ffffffff", .uniform(size: 2, count: .max), 0xFFFF_FFFF),
    ])
    func stsz(payload: String, sizes: SampleSizeBox.Sizes, count: Int) throws {
        let box = try checkRoundTrip(SampleSizeBox.self, payload: hex(payload))
        checkTruncation(SampleSizeBox.self, payload: hex(payload))
        #expect(box.sizes == sizes && box.count == count)
    }

    @Test(arguments: [
        ("00000000 000000 04 00000003 12 30", [1, 2, 3] as [UInt32]),
        ("00000000 000000 08 00000002 12 30", [0x12, 0x30]),
        ("00000000 000000 10 00000001 1230", [0x1230]),
    ])
    func `stz2 is read as stsz`(payload: String, sizes: [UInt32]) throws {
        let table = try readBox(SampleTableBox.self, sampleTable(sizes: box("stz2", hex(payload))))
        #expect(table.sampleSizes.sizes == .each(sizes))
        #expect(throws: ParseError.self) {
            try readBox(SampleTableBox.self, sampleTable(sizes: box("stz2", hex(payload).dropLast())))
        }
    }

    @Test func `stco and co64 are one table, written as short as its values allow`() throws {
        #expect(
            try checkRoundTrip(ChunkOffsetBox.self, payload: hex("00000000 00000001 00000024")).offsets == [0x24])
        let long = box("co64", hex("00000000 00000001 0000000100000024"))
        let table = try readBox(SampleTableBox.self, sampleTable(offsets: long))
        #expect(table.chunkOffsets.offsets == [0x1_0000_0024])
        #expect(bytes(of: table) == sampleTable(offsets: long))
        #expect(bytes(of: table.chunkOffsets) == long)
    }

    @Test func `a missing table is named`() {
        let error = #expect(throws: ParseError.self) {
            try readBox(SampleTableBox.self, sampleTable(offsets: []))
        }
        #expect(error?.code == .missing)
        #expect(error?.expected.contains("stco") == true)
    }

    @Test func `an unknown table survives, and a table there twice is kept as it is`() throws {
        let extra = box("sgpd", [1, 2, 3]) + box("stts", hex("00000000 00000000"))
        let bytes = sampleTable(offsets: box("stco", hex("00000000 00000000")) + extra)
        let table = try readBox(SampleTableBox.self, bytes)
        #expect(table.others.map(\.type) == ["sgpd", "stts"])
        #expect(QuickTimeTests.bytes(of: table) == bytes)
    }

    /// A sample table of no samples, but for the tables given.
    private func sampleTable(
        sizes: [UInt8] = box("stsz", hex("00000000 00000000 00000000")),
        offsets: [UInt8] = box("stco", hex("00000000 00000000"))
    ) -> [UInt8] {
        let empty = hex("00000000 00000000")
        return box("stbl", box("stsd", empty) + box("stts", empty) + box("stsc", empty) + sizes + offsets)
    }
}
