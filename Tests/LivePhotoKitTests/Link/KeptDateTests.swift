import Bytes
import LivePhotoKit
import MediaModel
import QuickTime
import StillImage
import SystemPackage
import TestSupport
import Testing

/// The dates that linking keeps, and those that it adds.
@Suite struct KeptDateTests {
    private let temporary: TemporaryFolder
    private static let sidecar = #"{"photoTakenTime": {"timestamp": "1757677510"}}"#
    private static let sidecarDate = "2025-09-12T11:45:10+0000"

    init() throws { temporary = try TemporaryFolder() }

    /// Links a pair beside a sidecar.
    ///
    /// - Parameters:
    ///   - exif: Fields of the Exif IFD.
    ///   - properties: Attributes in XMP.
    ///   - day: The movie's `creationdate`.
    ///   - seconds: The time in the movie's header, since 1904.
    private func link(
        _ photo: String = "IMG_1.JPG", _ movie: String = "IMG_1.MOV", exif: [TIFFField] = [], image: [TIFFField] = [],
        properties: String? = nil, day: String? = nil, seconds: UInt64? = nil, sidecars: [String: String]
    ) throws -> (result: LivePhotoLinker.Result, exif: IFD) {
        var pair = try SamplePair.plain.get()
        (pair.photoName, pair.movieName) = (photo, movie)
        let tiff = TIFF(image: IFD(image), exif: IFD(exif))
        pair.photo = try JPEG(pair.photo).replacingExif(with: tiff.bytes)
        if let properties {
            let packet = """
                <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
                <rdf:Description xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \
                xmlns:xmp="http://ns.adobe.com/xap/1.0/" \(properties)/></rdf:RDF></x:xmpmeta>
                """
            pair.photo = try JPEG(pair.photo).replacingXMP(with: Array(packet.utf8)).bytes
        }
        try pair.changeMovie { box in
            if let day {
                box.metadata = MetadataBox(items: [MetadataItem(key: .creationDate, value: .text(FileText(day)))])
            }
            if let seconds { box.header.times.creation = seconds }
        }
        try pair.write(below: temporary.path)
        for (name, text) in sidecars { try temporary.write(text, to: name) }
        let result = try LivePhotoLinker().link(
            photo: temporary.path.appending(photo), movie: temporary.path.appending(movie),
            to: .directory(temporary.path.appending("out"), replacesExisting: false))
        let bytes = try #require(try PhotoReader(InputFile(result.livePhoto.photo)).tiff())
        return (result, try TIFF(from: bytes).exif ?? IFD())
    }

    @Test(arguments: [
        ("2012:05:05 13:45:10 ", "2012-05-05T13:45:10"), ("2012:05:05 13:45:10Z", "2012-05-05T13:45:10+0000"),
        ("2012-05-05T13:45:10.5", "2012-05-05T13:45:10"), ("2012/05/05 13:45", "2012-05-05T13:45:00"),
        ("2012:05:05", "2012-05-05T12:00:00"),
    ])
    func `a photo's date in an unusual form stays, and the movie gets it`(text: String, written: String) throws {
        for tag in [TIFFTag.dateTimeOriginal, .dateTimeDigitized] {
            let name = "\(tag.rawValue)"
            let linked = try link(
                name + ".JPG", name + ".MOV", exif: [.ascii(tag, text)],
                sidecars: ["\(name).JPG.json": Self.sidecar])
            #expect(linked.result.writtenDate?.iso8601 == written && linked.result.writtenDateSource == .photo)
            #expect(linked.exif[tag]?.text == FileText(text) && linked.result.warnings.isEmpty)
            let other: TIFFTag = tag == .dateTimeOriginal ? .dateTimeDigitized : .dateTimeOriginal
            #expect(linked.exif[other] == nil)
        }
    }

    @Test func `a date that cannot be read stays with a warning`() throws {
        let linked = try link(
            exif: [.ascii(.dateTimeOriginal, "5 May 2012")], sidecars: ["IMG_1.JPG.json": Self.sidecar])
        #expect(linked.exif[.dateTimeOriginal]?.text == "5 May 2012" && linked.exif[.dateTimeDigitized] == nil)
        #expect(linked.result.warnings.count == 1)
        #expect(linked.result.warnings.first?.contains("IMG_1.JPG cannot be read and is kept") == true)
    }

    @Test func `zeros are no date, and the date of the last change is none of the photo`() throws {
        let linked = try link(
            exif: [.ascii(.dateTimeOriginal, "0000:00:00 00:00:00")],
            image: [.ascii(.dateTime, "2012:05:05 13:45:10")], sidecars: ["IMG_1.JPG.json": Self.sidecar])
        #expect(linked.exif[.dateTimeOriginal]?.text == "2025:09:12 11:45:10" && linked.result.warnings.isEmpty)
    }

    @Test(arguments: ["photoshop:DateCreated", "xmp:CreateDate"])
    func `a date in XMP alone is the photo's`(name: String) throws {
        let linked = try link(
            properties: "\(name)=\"2012-05-05T13:45:10\"", sidecars: ["IMG_1.JPG.json": Self.sidecar])
        #expect(linked.result.writtenDate?.iso8601 == "2012-05-05T13:45:10" && linked.exif[.dateTimeOriginal] == nil)
    }

    @Test func `a movie with only a day keeps it, and the photo gets that day`() throws {
        let linked = try link(day: "2012-05-05", sidecars: ["IMG_1.JPG.json": Self.sidecar])
        #expect(linked.result.writtenDateSource == .movie)
        #expect(linked.exif[.dateTimeOriginal]?.text == "2012:05:05 12:00:00")
        let movie = try MovieReader(InputFile(linked.result.livePhoto.movie))
        #expect(movie.metadata.first { $0.key == .creationDate }?.value.text == "2012-05-05")
    }

    @Test(arguments: [
        // A sidecar of the movie comes before a name, and a name with a time before one with a day.
        ("VID-20240101-WA0001.JPG", "b.MOV", ["b.MOV.json"], sidecarDate, CaptureDateSource.sidecar),
        ("VID_20250912_134510.JPG", "b.MOV", ["b.MOV.json"], "2025-09-12T13:45:10+0200", .sidecar),
        ("VID-20240101-WA0001.JPG", "VID_20250912_134510.MOV", [], "2025-09-12T13:45:10", .fileName),
        ("VID-20240101-WA0001.JPG", "b.MOV", [], "2024-01-01T12:00:00", .fileName),
    ])
    func `the most exact date of both files is written`(
        photo: String, movie: String, sidecars: [String], date: String, source: CaptureDateSource
    ) throws {
        let texts = Dictionary(uniqueKeysWithValues: sidecars.map { ($0, Self.sidecar) })
        let linked = try link(photo, movie, sidecars: texts)
        #expect(linked.result.writtenDate?.iso8601 == date && linked.result.writtenDateSource == source)
    }

    @Test func `a photo gets the movie's date in the zone that its name shows`() throws {
        let linked = try link("VID_20250912_134510.JPG", "b.MOV", seconds: 3_840_522_310, sidecars: [:])
        #expect(linked.result.writtenDate?.iso8601 == "2025-09-12T13:45:10+0200")
        #expect(linked.exif[.offsetTimeOriginal]?.text == "+02:00")
    }

    @Test func `dates that are more than a day apart are kept with a warning`() throws {
        for (text, warnings) in [("2025:09:10 13:45:10", 1), ("2025:09:12 23:45:10", 0)] {
            let linked = try link(
                "\(warnings).JPG", "\(warnings).MOV", exif: [.ascii(.dateTimeOriginal, text)], seconds: 3_840_522_310,
                sidecars: [:])
            #expect(linked.result.warnings.count == warnings && linked.result.writtenDate == nil)
            #expect(linked.exif[.dateTimeOriginal]?.text == FileText(text))
        }
    }

    @Test func `a sidecar that is ignored is reported once`() throws {
        let linked = try link(sidecars: ["IMG_1.JPG.json": "["])
        #expect(linked.result.warnings.count == 1)
        #expect(linked.result.warnings.first?.hasSuffix("IMG_1.JPG.json is ignored: it is not a JSON object") == true)
    }
}
