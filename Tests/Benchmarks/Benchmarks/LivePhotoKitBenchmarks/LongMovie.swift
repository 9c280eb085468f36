/// A box of ISO/IEC 14496-12.
func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
    let content = content.joined()
    return bytes(of: UInt32(content.count + 8)) + Array(type.utf8) + content
}

private func bytes(of number: UInt32) -> [UInt8] {
    [UInt8(number >> 24), UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
}

/// A table with its version and flags and the number of its entries.
private func table(_ type: String, _ entries: [[UInt32]]) -> [UInt8] {
    box(type, bytes(of: 0), bytes(of: UInt32(entries.count)), entries.joined().flatMap(bytes(of:)))
}

/// A movie of 60 frames a second with B-frames: every frame has a size and a composition offset of its own, and every 60th
/// begins a chunk. The frames are a few bytes that no decoder takes.
func longMovie(frames: UInt32) -> [UInt8] {
    let identity = "00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000"
    let duration = bytes(of: frames * 10)
    let sizes = (0..<frames).map { 2 + $0 * 7 % 5 }
    // The frames of a minigop in decode order, each at a time other than that.
    let offsets = (0..<frames).map { [1, [20, 60, 0, 0][Int($0 % 4)] as UInt32] }
    var chunks: [[UInt32]] = []
    var place: UInt32 = 24 + 8
    for (frame, size) in sizes.enumerated() {
        if frame % 60 == 0 { chunks.append([place]) }
        place += size
    }
    let sampleTable = box(
        "stbl",
        box(
            "stsd", hex("00000000 00000001"),
            box(
                "avc1", hex("00000000 0000 0001"), hex("0000 0000 00000000 00000000 00000000"),
                hex("0780 0438 00480000 00480000 00000000 0001"), [UInt8](repeating: 0, count: 32), hex("0018 ffff"),
                box("avcC", hex("01640028 ffe1 0004 67640028 01 0004 68eae1bc")))),
        table("stts", [[frames, 10]]),
        table("ctts", offsets),
        table("stss", stride(from: 1, through: frames, by: 60).map { [$0] }),
        table("stsc", [[1, 60, 1]]),
        box("stsz", hex("00000000 00000000"), bytes(of: frames), sizes.flatMap(bytes(of:))),
        table("stco", chunks))
    let media = box(
        "mdia",
        box("mdhd", hex("00000000 00000000 00000000 00000258"), duration, hex("55c4 0000")),
        box("hdlr", hex("00000000 'mhlrvide' 00000000 00000000 00000000 00")),
        box(
            "minf",
            box("vmhd", hex("00000001 0000 0000 0000 0000")),
            box("dinf", box("dref", hex("00000000 00000001 0000000c 'url ' 00000001"))),
            sampleTable))
    let track = box(
        "trak",
        box(
            "tkhd", hex("0000000f 00000000 00000000 00000001 00000000"), duration,
            hex("00000000 00000000 0000 0000 0000 0000 \(identity) 07800000 04380000")),
        box("edts", box("elst", hex("00000000 00000001"), duration, hex("00000014 00010000"))),
        media)
    let header = box(
        "mvhd", hex("00000000 00000000 00000000 00000258"), duration,
        hex("00010000 0100 0000 00000000 00000000 \(identity)"), [UInt8](repeating: 0, count: 24), hex("00000002"))
    return box("ftyp", hex("'qt  ' 00000000 'qt  ' 'mp42'"))
        + box("mdat", [UInt8](repeating: 0, count: Int(place) - 32))
        + box("moov", header, track)
}
