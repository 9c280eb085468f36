import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import TestSupport
import Testing

/// Movies of which a part cannot be read.
@Suite struct TolerantReadingTests {
    private let folder: TemporaryFolder
    private let movie: MovieBox

    init() throws {
        folder = try TemporaryFolder()
        movie = try MovieReader(TestMovie().write(in: folder)).movie
    }

    /// A `moov` of the boxes of a good one, each changed.
    private func moov(_ change: (FourCC, Int, [UInt8]) -> [UInt8]) throws -> [UInt8] {
        let whole = bytes(of: movie)
        var reader = ByteReader(whole, structure: "test")
        var children = try #require(try reader.nextBox()).payload
        var index = 0
        var changed: [UInt8] = []
        while let child = try children.nextBox() {
            var payload = child.payload
            changed += change(child.type, index, payload.rest())
            index += 1
        }
        return box("moov", changed)
    }

    @Test(arguments: [
        ("no tkhd", "00000008 'mdia'", ParseError.Code.missing),
        ("a child cut off", "00000010 'tkhd' 00", .truncated),
        ("a tkhd of version 9", "0000000c 'tkhd' 09000000", .unsupported),
        ("nothing", "", .missing),
    ])
    func `a track that cannot be read does not cost the others`(
        name: String, payload: String, code: ParseError.Code
    ) throws {
        let bytes = try moov { type, index, original in
            index == 1 ? box("trak", hex(payload)) : box(type, original)
        }
        let reader = try MovieReader(folder.file(bytes))
        #expect(reader.tracks.map(\.kind) == [.metadata])
        #expect(reader.contentIdentifier == FileText(TestMovie.identifier))
        let bad = try #require(reader.movie.unreadableBoxes.first)
        #expect(bad.type == "trak" && bad.error.code == code)
        #expect(bad.error.offset >= 8 + 108 + 8)
        let again = try readBox(MovieBox.self, QuickTimeTests.bytes(of: reader.movie))
        #expect(again == reader.movie)
        #expect(again.others == [OpaqueBox(type: "trak", payload: hex(payload))])
    }

    @Test func `a meta that cannot be read is told and kept`() throws {
        let payload = hex("0000000c 'keys' 00000000")
        let bytes = try moov { type, _, original in box(type, type == "meta" ? payload : original) }
        let reader = try MovieReader(folder.file(bytes))
        #expect(reader.tracks.count == 2 && reader.metadata.isEmpty)
        #expect(reader.movie.unreadableBoxes.map(\.type) == ["meta"])
        #expect(QuickTimeTests.bytes(of: reader.movie) == bytes)
    }

    @Test func `a good movie has no unreadable boxes`() {
        #expect(movie.unreadableBoxes.isEmpty)
    }

    @Test func `a compressed movie header is refused with what to do`() throws {
        let file = try folder.file(box("moov", box("cmov", box("dcom", hex("'zlib'")) + box("cmvd", [1, 2]))))
        let error = #expect(throws: ParseError.self) { try MovieReader(file) }
        #expect(error?.code == .unsupported)
        #expect("\(try #require(error))".contains("ffmpeg -c copy"))
    }

    /// What `ffmpeg -map 0 -c copy` leaves of a timed metadata track.
    @Test func `a metadata track whose format a copy lost is read without a format`() throws {
        var changed = movie
        changed.tracks[1].media.handler.subtype = "url "
        var bytes = QuickTimeTests.bytes(of: changed)
        let entry = movie.tracks[1].media.information.sampleTable.descriptions
        let lost = try readBox(SampleDescriptionBox.self, hex("00000010 'stsd' 00000000 00000001"))
        #expect(lost.declaredCount == 1 && entry.declaredCount == 1)
        changed.tracks[1].media.information.sampleTable.descriptions = lost
        bytes = QuickTimeTests.bytes(of: changed)
        let reader = try MovieReader(folder.file(bytes))
        #expect(reader.tracks.map(\.kind) == [.video, .other("url ")])
        #expect(reader.tracks[1].box.media.handler.name == "Core Media Metadata")
        #expect(try reader.stillImageTime() == nil)
        #expect(QuickTimeTests.bytes(of: reader.movie) == bytes)
    }

    /// One movie in every order and form of header that players read.
    @Test(arguments: [
        "ftyp mdat moov", "ftyp moov mdat", "mdat moov", "moov mdat", "moov", "wide mdat free moov skip", "moov moov",
        "long-mdat moov", "ftyp long-moov mdat", "mdat open-moov", "ftyp moov open-mdat", "moov junk",
        "mdat moov zeros",
        "iso-moov", "iso-moov open-mdat",
    ])
    func `a movie is read in whatever order its boxes are`(order: String) throws {
        let moov = bytes(of: movie)
        var iso = movie
        iso.metadata?.form = .iso
        let bytes = try order.split(separator: " ").flatMap { part -> [UInt8] in
            switch part {
            case "ftyp": QuickTimeTests.bytes(of: FileTypeBox.quickTime)
            case "moov": moov
            case "iso-moov": QuickTimeTests.bytes(of: iso)
            case "long-moov": hex("00000001 'moov'") + long(moov.count + 8) + moov.dropFirst(8)
            case "open-moov": hex("00000000") + moov.dropFirst(4)
            case "long-mdat": hex("00000001 'mdat'") + long(19) + [1, 2, 3]
            case "open-mdat": hex("00000000 'mdat' 010203")
            case "junk": hex("ffffffff 'junk' 00 ffd9")
            case "zeros": [UInt8](repeating: 0, count: 33)
            case let type:
                box(try #require(["wide": "wide", "free": "free", "skip": "skip", "mdat": "mdat"][type]), [1])
            }
        }
        let reader = try MovieReader(folder.file(bytes))
        #expect(reader.movie.tracks == movie.tracks)
        #expect(reader.contentIdentifier == FileText(TestMovie.identifier))
        #expect((reader.fileType != nil) == order.contains("ftyp"))
    }

    private func long(_ size: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt64(size))
        return writer.bytes
    }

    @Test func `a file type that cannot be read is none`() throws {
        let reader = try MovieReader(folder.file(box("ftyp", [1]) + bytes(of: movie)))
        #expect(reader.fileType == nil && reader.tracks.count == 2)
    }

    @Test func `a track has keys and values of its own`() throws {
        var changed = movie
        let item = MetadataItem(key: .make, value: .text("Lens"))
        let metadata = bytes(of: MetadataBox(items: [item]))
        changed.tracks[0].others = [OpaqueBox(type: "meta", payload: Array(metadata.dropFirst(8)))]
        let reader = try MovieReader(folder.file(bytes(of: changed)))
        #expect(reader.tracks.map(\.metadata) == [[item], []])
    }

    @Test func `an empty meta with its children behind it, which some movies have, is read`() throws {
        let bytes = try moov { type, _, original in
            type == "meta" ? box("meta", []) + original : box(type, original)
        }
        let reader = try MovieReader(folder.file(bytes))
        #expect(reader.contentIdentifier == FileText(TestMovie.identifier))
        #expect(reader.movie.unreadableBoxes.isEmpty)
    }
}
