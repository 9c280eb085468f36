import HeifKit
import MediaModel
import Testing

@Suite struct HeifPictureTests {
    private static let avif = "avifenc -s 10 --min 0 --max 0"

    private func decode(_ sample: SampleHEIF) throws -> HeifPicture {
        try HeifPicture(sample.bytes, edgeLimit: 16_384)
    }

    /// A plane's samples as shares of the largest.
    private func samples(_ plane: [UInt8], _ bitDepth: Int) -> [Double] {
        let largest = Double(1 << bitDepth - 1)
        guard bitDepth > 8 else { return plane.map { Double($0) / largest } }
        return stride(from: 0, to: plane.count, by: 2).map {
            Double(Int(plane[$0]) | Int(plane[$0 + 1]) << 8) / largest
        }
    }

    @Test(
        arguments: [
            ("\(Self.avif) -y 420", .yuv420, 8, 25 * 17), ("\(Self.avif) -y 422", .yuv422, 8, 25 * 34),
            ("\(Self.avif) -y 444", .yuv444, 8, 50 * 34), ("\(Self.avif) -y 400", .monochrome, 8, 0),
            ("\(Self.avif) -y 420 -d 10", .yuv420, 10, 25 * 17), ("\(Self.avif) -y 422 -d 12", .yuv422, 12, 25 * 34),
            ("\(Self.avif) -y 444 -d 12", .yuv444, 12, 50 * 34), ("\(Self.avif) -y 400 -d 10", .monochrome, 10, 0),
            ("heif-enc -q 95 -p chroma=420", .yuv420, 8, 25 * 17),
            ("heif-enc -q 95 -p chroma=444", .yuv444, 8, 50 * 34),
        ] as [(String, HeifPicture.Layout, Int, Int)])
    func `planes come as they are coded`(encoder: String, layout: HeifPicture.Layout, bitDepth: Int, chroma: Int) throws
    {
        let picture = try decode(try SampleHEIF(encoder))
        #expect(picture.size == PixelSize(width: 50, height: 34))
        #expect(picture.layout == layout && picture.bitDepth == bitDepth)
        #expect(picture.alpha == nil && picture.iccProfile == nil)
        #expect(picture.color.matrix == 6 && picture.color.isFullRange)
        let planes = picture.planes.map { samples($0, bitDepth) }
        #expect(planes.map(\.count) == (chroma == 0 ? [50 * 34] : [50 * 34, chroma, chroma]))
        // BT.601 in full range of (200, 30, 40): 82, 104.3, 212.2 of 255.
        for (plane, expected) in zip(planes, [82.0, 104.3, 212.2]) {
            #expect(plane.allSatisfy { abs($0 * 255 - expected) < 1.6 }, "\(plane[0] * 255) for \(expected)")
        }
    }

    @Test func `under the identity matrix, planes are green, blue, red`() throws {
        let picture = try decode(try SampleHEIF("avifenc -s 10 -l -y 444 --cicp 1/13/0"))
        #expect(picture.layout == .gbr && picture.color.matrix == 0 && picture.color.isFullRange)
        #expect(picture.planes.map { $0.first ?? 0 } == [30, 40, 200])
    }

    @Test(
        arguments: [(9, 16, 9, false), (1, 13, 1, true), (1, 1, 6, false), (12, 13, 6, true)]
            as [(UInt16, UInt16, UInt16, Bool)])
    func `other YCbCr than JFIF's becomes RGB and keeps its primaries and transfer function`(
        primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool
    ) throws {
        let isJFIF = matrix == 6 && isFullRange
        let tags = "--cicp \(primaries)/\(transfer)/\(matrix) -r \(isFullRange ? "full" : "limited")"
        for layout in ["420", "444"] {
            let picture = try decode(try SampleHEIF("\(Self.avif) -d 10 -y \(layout) \(tags)"))
            let color = picture.color
            #expect(color.primaries == primaries && color.transfer == transfer && color.isFullRange)
            #expect(color.matrix == (isJFIF ? 6 : 0) && (picture.layout == .gbr) == !isJFIF)
            for (plane, expected) in zip(picture.planes, isJFIF ? [82.0, 104.3, 212.2] : [30, 40, 200]) {
                let value = (samples(plane, 10).first ?? 0) * 255
                #expect(abs(value - expected) < 1.6, "\(value) for \(expected)")
            }
        }
    }

    @Test(arguments: [(8, ""), (10, ""), (10, "--cicp 9/16/9")]) func `alpha is a plane`(bitDepth: Int, tags: String)
        throws
    {
        let picture = try decode(
            try SampleHEIF("\(Self.avif) --minalpha 0 --maxalpha 0 -d \(bitDepth) \(tags)", color: "red@0.4"))
        let alpha = samples(try #require(picture.alpha), bitDepth)
        #expect(alpha.count == 50 * 34 && alpha.allSatisfy { abs($0 - 0.4) < 0.01 })
        #expect(!picture.isPremultiplied)
    }

    @Test func `an ICC profile comes byte for byte`() throws {
        let profile = (0..<3000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        #expect(try decode(try SampleHEIF("\(Self.avif) --icc icc", icc: profile)).iccProfile == profile)
    }

    @Test(arguments: [
        ("--irot 1", 34, 50), ("--irot 2", 50, 34), ("--irot 3 --imir 0", 34, 50), ("--crop 0,0,20,10", 20, 10),
    ])
    func `transformations are applied`(options: String, width: Int, height: Int) throws {
        let picture = try decode(try SampleHEIF("\(Self.avif) \(options)"))
        #expect(picture.size == PixelSize(width: width, height: height))
    }

    @Test(arguments: [false, true])
    func `metadata of an item that libheif does not know are no obstacle`(isLong: Bool) throws {
        let tiff: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]
        var bytes = try SampleHEIF("\(Self.avif) --exif exif", exif: tiff).bytes
        let reference = try place(of: "cdsc", in: bytes) + 4
        // ISO/IEC 14496-12 8.11.12: from item, count, to items.
        #expect(bytes[reference + 2..<reference + 6] == [0, 1, 0, 1])
        bytes[reference + 5] = 99
        if isLong { try lengthenReference(in: &bytes) }
        #expect(try HeifPicture(bytes, edgeLimit: 100).size.width == 50)
    }

    /// Gives `cdsc` a 64-bit size, and moves what follows.
    private func lengthenReference(in bytes: inout [UInt8]) throws {
        func add(_ count: UInt8, at place: Int) {
            let (sum, overflow) = bytes[place + 3].addingReportingOverflow(count)
            bytes[place + 3] = sum
            if overflow { bytes[place + 2] += 1 }
        }
        let items = try place(of: "iloc", in: bytes) + 12
        // 8.11.3: item, data reference, count of extents, and the offset and length of each.
        for item in 0..<2 { add(8, at: items + 14 * item + 6) }
        for type in ["meta", "iref"] { add(8, at: try place(of: type, in: bytes) - 4) }
        let reference = try place(of: "cdsc", in: bytes)
        let size = bytes[reference - 1] + 8
        bytes.replaceSubrange(reference - 4..<reference, with: [0, 0, 0, 1])
        bytes.insert(contentsOf: [0, 0, 0, 0, 0, 0, 0, size], at: reference + 4)
    }

    @Test func `an auxiliary picture of two pictures is no obstacle, and its transparency is shown`() throws {
        var bytes = try SampleHEIF(Self.avif, color: "red@0.4").bytes
        let before = try HeifPicture(bytes, edgeLimit: 100)
        // ISO/IEC 14496-12 8.11.12: size, type, from item, count, to items; a second target is added.
        let reference = try place(of: "auxl", in: bytes)
        #expect(bytes[reference - 1] == 14 && bytes[reference + 7] == 1)
        bytes[reference - 1] = 16
        bytes[reference + 7] = 2
        bytes.insert(contentsOf: [0, 99], at: reference + 10)
        for type in ["meta", "iref"] {
            let size = try place(of: type, in: bytes) - 1
            let (sum, overflow) = bytes[size].addingReportingOverflow(2)
            bytes[size] = sum
            if overflow { bytes[size - 1] += 1 }
        }
        // The data move by two bytes. 8.11.3: item, data reference, count of extents, and the offset and length of each.
        let items = try place(of: "iloc", in: bytes) + 12
        for item in 0..<Int(bytes[items - 1]) {
            let offset = items + 14 * item + 9
            let (sum, overflow) = bytes[offset].addingReportingOverflow(2)
            bytes[offset] = sum
            if overflow { bytes[offset - 1] += 1 }
        }
        let picture = try HeifPicture(bytes, edgeLimit: 100)
        #expect(picture.planes == before.planes && picture.alpha == before.alpha && picture.alpha != nil)
    }

    private func place(of type: String, in bytes: [UInt8]) throws -> Int {
        try #require(bytes.firstRange(of: Array(type.utf8))).lowerBound
    }

    @Test func `a picture above the limit is an error`() throws {
        let sample = try SampleHEIF(Self.avif)
        #expect(try HeifPicture(sample.bytes, edgeLimit: 50).size.width == 50)
        #expect(throws: HeifError.self) { _ = try HeifPicture(sample.bytes, edgeLimit: 49) }
    }

    @Test func `what is no HEIF is an error with libheif's reason`() {
        for bytes in [[], [1, 2, 3], Array("\0\0\0\u{10}ftypisom\0\0\0\0".utf8)] as [[UInt8]] {
            let error = #expect(throws: HeifError.self) { _ = try HeifPicture(bytes, edgeLimit: 100) }
            #expect(error?.description.isEmpty == false)
        }
    }

    @Test(arguments: ["\(Self.avif)", "heif-enc"]) func `a file cut off anywhere is an error`(encoder: String) throws {
        let bytes = try SampleHEIF(encoder).bytes
        for count in 0..<bytes.count {
            #expect(throws: HeifError.self, "cut to \(count) of \(bytes.count)") {
                _ = try HeifPicture(Array(bytes.prefix(count)), edgeLimit: 100)
            }
        }
    }

    @Test func `damaged boxes are an error or a picture, never more`() throws {
        let bytes = try SampleHEIF(Self.avif, color: "red@0.4").bytes
        let head = try #require(bytes.firstRange(of: Array("mdat".utf8))).lowerBound
        for place in 0..<head {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[place] = value
                _ = try? HeifPicture(damaged, edgeLimit: 100)
            }
        }
    }
}
