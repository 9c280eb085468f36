import Bytes
import StillImage
import Testing

private func part(_ number: UInt8, _ count: UInt8, _ data: [UInt8]) -> [UInt8] {
    segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + data)
}

@Suite struct ICCProfileTests {
    @Test(
        arguments: [
            ([part(1, 1, [5, 6])], [5, 6]),
            ([part(2, 2, [7]), comment, part(1, 2, [5, 6])], [5, 6, 7]),  // in any order
            ([], nil), ([segment(0xE2, Array("MPF\0".utf8))], nil),
            ([part(1, 2, [5])], nil),  // a part is missing
            ([part(1, 1, [5]), part(1, 1, [6])], nil),  // two profiles
            ([part(1, 2, [5]), part(2, 3, [6])], nil), ([part(0, 1, [5])], nil), ([part(1, 0, [5])], nil),
            ([segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1])], nil),  // cut off
        ] as [([[UInt8]], [UInt8]?)])
    func `a profile is put together of its parts`(segments: [[UInt8]], profile: [UInt8]?) throws {
        #expect(try JPEG(sampleJPEG(Array(segments.joined()))).iccProfile == profile)
    }

    @Test(arguments: [1, 65_519, 65_520, 131_038, 131_039]) func `a profile of any length comes back`(
        length: Int
    ) throws {
        let profile = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let jpeg = try JPEG(try JPEG(sampleJPEG(jfif, comment)).replacingICCProfile(with: profile))
        #expect(jpeg.iccProfile == profile)
        #expect(jpeg.segments.count { $0.marker == .app2 } == (length + 65_518) / 65_519)
    }

    @Test func `a new profile takes the place of the old after JFIF and Exif, and all else stays byte for byte`() throws
    {
        let exif = exifSegment(minimalTIFF)
        let other = segment(0xE2, Array("MPF\0".utf8))
        let jpeg = try JPEG(sampleJPEG(jfif, exif, comment, part(1, 1, [9]), other))
        #expect(try jpeg.replacingICCProfile(with: [5]) == sampleJPEG(jfif, exif, part(1, 1, [5]), comment, other))
        for none in [nil, []] as [[UInt8]?] {
            #expect(try jpeg.replacingICCProfile(with: none) == sampleJPEG(jfif, exif, comment, other))
        }
    }

    @Test func `a profile that 255 segments cannot hold is an error`() throws {
        let jpeg = try JPEG(sampleJPEG())
        let largest = [UInt8](repeating: 7, count: 255 * 65_519)
        #expect(try JPEG(try jpeg.replacingICCProfile(with: largest)).iccProfile?.count == largest.count)
        let error = #expect(throws: ParseError.self) { _ = try jpeg.replacingICCProfile(with: largest + [7]) }
        #expect(error?.code == .overLimit)
    }
}
