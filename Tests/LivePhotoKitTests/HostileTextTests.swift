import Bytes
import Foundation
import ISOBMFF
import LivePhotoKit
import MediaModel
import QuickTime
import StillImage
import SystemPackage
import TestSupport
import Testing

/// Text of strangers in each field that is read costs little time.
@Suite struct HostileTextTests {
    /// A field of a photo or a movie, and how a text gets there.
    struct Field: Sendable, CustomStringConvertible {
        let description: String
        /// Bytes that fit.
        let size: Int
        let put: @Sendable (_ text: [UInt8], _ pair: inout SamplePair) throws -> Void

        init(_ description: String, _ size: Int, _ put: @escaping @Sendable ([UInt8], inout SamplePair) throws -> Void)
        {
            (self.description, self.size, self.put) = (description, size, put)
        }
    }

    private static let apple: FileText = "com.apple.quicktime."

    /// A movie with one more value.
    private static func value(_ key: FileText) -> @Sendable ([UInt8], inout SamplePair) throws -> Void {
        { text, pair in
            try pair.changeMovie { movie in
                movie.metadata?.set(MetadataItem(key: MetadataKey(key), value: .text(FileText(text))))
            }
        }
    }

    private static func userData(_ content: @escaping @Sendable ([UInt8]) -> [UInt8])
        -> @Sendable (
            [UInt8], inout SamplePair
        ) throws -> Void
    {
        { text, pair in
            try pair.changeMovie { movie in
                movie.others.append(OpaqueBox(type: "udta", payload: content(text)))
            }
        }
    }

    /// A photo with XMP in which `TEXT` is the text.
    private static func xmp(_ attributes: String, _ content: String = "")
        -> @Sendable ([UInt8], inout SamplePair) throws
        -> Void
    {
        { text, pair in
            let packet = """
                <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMLNamespace.rdf.string())"><rdf:Description \
                xmlns:G="\(XMLNamespace.googleCamera.string())" xmlns:C="\(XMLNamespace.googleContainer.string())" \
                xmlns:I="\(XMLNamespace.googleContainerItem.string())" \(attributes)>\(content)</rdf:Description>\
                </rdf:RDF></x:xmpmeta>
                """
            let parts = Array(packet.utf8).split(separator: Array("TEXT".utf8))
            let data = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(parts.joined(separator: text))
            let size = UInt16(data.count + 2)
            pair.photo.insert(contentsOf: [0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 0xFF)] + data, at: 2)
        }
    }

    private static func box(_ type: FourCC, _ payload: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        OpaqueBox(type: type, payload: payload).write(to: &writer)
        return writer.bytes
    }

    static let fields = [
        Field("a name space", 12_000, xmp(#"xmlns:p="TEXT1" p:a="" xmlns:q="TEXT2" q:a="" xmlns:r="TEXT3" r:a="""#)),
        Field("a name space that is short enough", 1000, xmp(#"xmlns:p="TEXT1" p:a="" xmlns:q="TEXT2" q:a="""#)),
        Field("an attribute", 20_000, xmp(#"G:MotionPhoto="TEXT""#)),
        Field("a name", 200, xmp(#"G:TEXT="1""#)),
        Field("a text", 20_000, xmp("", "<G:MotionPhoto>TEXT</G:MotionPhoto>")),
        Field(
            "an item", 12_000,
            xmp(
                #"G:MotionPhoto="1" G:MotionPhotoVersion="1""#,
                #"<C:Directory><rdf:Seq><rdf:li><C:Item I:Mime="TEXT" I:Semantic="TEXT"/></rdf:li></rdf:Seq></C:Directory>"#
            )),
        Field("the photo's identifier", 20_000) { text, pair in
            var note = try AppleMakerNote(
                from: ByteReader(AppleMakerNote(contentIdentifier: .init()).bytes, structure: ""))
            note.fields[.appleContentIdentifier] = .ascii(
                .appleContentIdentifier, String(decoding: text, as: UTF8.self))
            let tiff = TIFF(
                image: IFD([.ascii(.make, "Apple")]), exif: IFD([.undefined(.makerNote, note.bytes)]), gps: nil)
            pair.photo = try PhotoWithExif.jpeg(tiff.bytes)
        },
        Field("the photo's texts", 15_000) { text, pair in
            let text = String(decoding: text, as: UTF8.self)
            let tiff = TIFF(
                image: IFD([.ascii(.make, text), .ascii(.model, text)]),
                exif: IFD([.ascii(.dateTimeOriginal, text), .ascii(.offsetTimeOriginal, text)]), gps: nil)
            pair.photo = try PhotoWithExif.jpeg(tiff.bytes)
        },
        Field("the movie's identifier", 200_000, value(apple + "content.identifier")),
        Field("the movie's date", 200_000, value(apple + "creationdate")),
        Field("the movie's place", 200_000, value(apple + "location.ISO6709")),
        Field("a value", 200_000, value(apple + "title")),
        Field("a key", 200_000) { text, pair in
            for ending: FileText in ["1", "2"] { try value(FileText(text) + ending)([0x31], &pair) }
        },
        Field(
            "user data", 20_000,
            userData { text in
                box("\u{A9}xyz", [UInt8(text.count >> 8), UInt8(text.count & 0xFF), 0, 0] + text)
            }),
        Field(
            "a name of iTunes", 200_000,
            userData { text in
                let names = box("mean", [0, 0, 0, 0] + text) + box("name", [0, 0, 0, 0] + text)
                let item = box("----", names + box("data", [0, 0, 0, 1, 0, 0, 0, 0] + text))
                return box("meta", [0, 0, 0, 0] + box("ilst", item))
            }),
        Field("a handler's name", 200_000) { text, pair in
            try pair.changeMovie { movie in
                for index in movie.tracks.indices {
                    movie.tracks[index].media.handler.componentType = FourCC(rawValue: 0)
                    movie.tracks[index].media.handler.nameField = text + [0]
                }
            }
        },
        Field("a key of timed metadata", 200_000) { text, pair in
            try pair.changeMovie { movie in
                let place = try #require(movie.tracks.firstIndex { $0.media.handler.subtype == "meta" })
                try movie.tracks[place].changeFormat(TimedMetadataSampleEntry.self) { entry in
                    var key = try #require(entry.keys.first)
                    key.localID = 77
                    key.key = MetadataKey(FileText(text))
                    key.dataType = .named(space: 1, FileText(text) + "2")
                    entry.keys.append(key)
                }
            }
        },
    ]

    /// `Scripts/hostile-text` tries all texts. These two cost `String` most: a minute in the longest fields.
    @Test(arguments: fields)
    func `hostile text in a field costs little`(field: Field) throws {
        for text in [HostileText.marks, .flags] {
            let time = try seconds(of: text, in: field)
            #expect(time <= 6, "\(text): \(time) s")
        }
    }

    /// How long it takes to read, check and link the pair, and to pack and extract it.
    private func seconds(of text: HostileText, in field: Field) throws -> Double {
        let temporary = try TemporaryFolder()
        var pair = try SamplePair()
        try field.put(text.bytes(field.size), &pair)
        try pair.write(below: temporary.path)
        let (photo, movie) = (temporary.path.appending(pair.photoName), temporary.path.appending(pair.movieName))
        let began = ContinuousClock.now
        for file in [photo, movie] {
            let shown = try? JSON.text(LivePhotoInspector().inspect(file))
            // A photo with XMP that cannot be read is inspected all the same.
            #expect((shown?.utf8.count ?? 0) < 200_000 && shown != nil)
            _ = try? LivePhotoInspector().boxes(of: file)
        }
        _ = try LivePhotoVerifier().verify(photo: photo, movie: movie)
        _ = try? LivePhotoVerifier().verify(motionPhoto: photo)
        _ = try? LivePhotoLinker().link(
            photo: photo, movie: movie, to: .directory(temporary.path.appending("out"), replacesExisting: false))
        let packed = temporary.path.appending("a.MP.jpg")
        _ = PairTransfer().pack(photo: photo, movie: movie, as: .motionPhoto, to: packed)
        return (ContinuousClock.now - began) / .seconds(1)
    }

    // MARK: Names

    @Test(arguments: [HostileText.marks, .flags, .noText])
    func `hostile names in an archive cost little`(text: HostileText) throws {
        let temporary = try TemporaryFolder()
        let pair = try SamplePair()
        let name = String(decoding: text.bytes(20_000), as: UTF8.self)
        let archives: [[SampleArchive.Entry]] = [
            [.init("\(name).jpg", pair.photo), .init("\(name).mov", pair.movie)],
            [.init("\(name)/a.jpg", pair.photo), .init("\(name)/a.mov", pair.movie)],
            (0..<20).map { .init("\(name)\($0).jpg", []) },
        ]
        let began = ContinuousClock.now
        for (number, entries) in archives.enumerated() {
            let path = temporary.path.appending("\(number).livp")
            try Data(SampleArchive(entries).bytes).write(to: URL(fileURLWithPath: path.string))
            do throws(LivePhotoError) {
                _ = try PairContainer(path)
            } catch {
                #expect(error.reason.utf8.count < 4000)
            }
            _ = try LivePhotoInspector().inspect(path)
        }
        #expect(ContinuousClock.now - began < .seconds(2))
    }
}

/// JPEGs that consist of their headers.
private enum PhotoWithExif {
    static func jpeg(_ tiff: [UInt8]) throws -> [UInt8] {
        let exif = Array("Exif\0\0".utf8) + tiff
        let size = exif.count + 2
        try #require(size <= 0xFFFF)
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 0xFF)] + exif
            + [0xFF, 0xC0, 0, 11, 8, 4, 56, 7, 128, 1, 1, 0x22, 0]
            + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0x3F, 0, 0xFF, 0xD9]
    }
}
