import Bytes
import Foundation
import ISOBMFF
import MediaModel
import StillImage
import SystemPackage
import TestSupport
import Testing

@Suite struct PhotoFileTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func file(_ bytes: [UInt8]) throws -> InputFile {
        let path = temporary.path.appending("photo")
        try Data(bytes).write(to: URL(filePath: path.string))
        return try InputFile(path)
    }

    /// A JPEG of 16 by 8 pixels, whose frame header comes after `profiles` full segments and is followed by `rest`.
    private func jpeg(profiles: Int, rest: [UInt8]) -> [UInt8] {
        let profile: [UInt8] = [0xFF, 0xE2, 0xFF, 0xFF] + [UInt8](repeating: 0xFF, count: 65_533)
        return [0xFF, 0xD8] + Array(repeatElement(profile, count: profiles).joined())
            + [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 16, 1, 1, 0x22, 0] + rest
    }

    @Test(arguments: [0, 3, 4, 5, 16, 17, 40]) func `a photo is read however much comes before its picture`(
        profiles: Int
    ) throws {
        let file = try file(jpeg(profiles: profiles, rest: [0xFF, 0xDA] + [UInt8](repeating: 0, count: 100_000)))
        let photo = try PhotoMetadata(file)
        #expect(photo.size == PixelSize(width: 16, height: 8))
        #expect(photo.contentIdentifier == .failure(.noExif))
    }

    @Test(arguments: [0, 4, 20]) func `a photo that ends before its picture is cut off`(profiles: Int) throws {
        let file = try file(jpeg(profiles: profiles, rest: []))
        let error = #expect(throws: ParseError.self) { _ = try PhotoMetadata(file) }
        #expect(error?.code == .truncated)
        #expect(error?.offset == file.size)
    }

    @Test(arguments: [0, 1, 1 << 20]) func `a HEIC is read wherever its list of items is`(before: Int) throws {
        var writer = ByteWriter()
        writer.box("ftyp") { $0.text("mif1\0\0\0\0heic") }
        writer.box("mdat") { $0.zeros(before) }
        writer.box("meta") { meta in
            meta.zeros(4)
            meta.box("hdlr") { $0.text("\0\0\0\0\0\0\0\0pict") }
            meta.box("pitm") { $0.append([0, 0, 0, 0, 0, 7]) }
            meta.box("iprp") { properties in
                properties.box("ipco") { container in
                    container.box("irot") { $0.append([1]) }
                    container.box("ispe") { $0.append([0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 8]) }
                }
                properties.box("ipma") { $0.append([0, 0, 0, 0, 0, 0, 0, 1, 0, 7, 2, 2, 1]) }
            }
        }
        let photo = try PhotoMetadata(file(writer.bytes))
        #expect(photo.size == PixelSize(width: 16, height: 8))
        #expect(photo.orientation == .rotated90Counterclockwise)
        #expect(photo.contentIdentifier == .failure(.noExif))
        let error = #expect(throws: ParseError.self) { _ = try PhotoMetadata(file(writer.bytes.dropLast())) }
        #expect(error?.code == .missing)
    }

    @Test func `what is no photo is not supported`() throws {
        let file = try file(Array("GIF89a".utf8))
        let error = #expect(throws: ParseError.self) { _ = try PhotoMetadata(file) }
        #expect(error?.code == .unsupported)
    }
}
