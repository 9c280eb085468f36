import Bytes
import MediaModel
import StillImage
import TestSupport

private let identifier = ContentIdentifier("CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC")
private let date = CaptureDate(year: 2025, month: 1, day: 31, hour: 11, minute: 6, second: 47, utcOffset: 540)
private let place = GeographicLocation(latitude: 35.5, longitude: -139.25, altitude: 7)

/// Those that write as much as there is, that take as much away, and that leave what is there.
private let updates: [ExifUpdate] =
    if let identifier, let date, let place {
        [
            ExifUpdate(
                contentIdentifier: .set(identifier), captureDate: .set(date), location: .set(place),
                orientation: .rotated90Clockwise),
            ExifUpdate(contentIdentifier: .remove, captureDate: .remove, location: .remove),
            ExifUpdate(contentIdentifier: .fillIn(identifier), captureDate: .fillIn(date), location: .fillIn(place)),
        ]
    } else {
        []
    }

extension FuzzedReader {
    private static let boxTypes: [FourCC] = [
        "ftyp", "meta", "hdlr", "pitm", "iinf", "infe", "iref", "cdsc", "dimg", "auxl", "thmb", "iprp", "ipco", "ipma",
        "ispe", "irot", "imir", "colr", "nclx", "prof", "pixi", "auxC", "iloc", "idat", "mdat", "mpvd", "grpl", "heic",
        "avif", "mif1", "hvc1", "av01", "hvcC", "av1C", "grid", "Exif", "mime", "tmap",
    ]

    static let heif = FuzzedReader(
        sources: ["StillImage/HEIF", "StillImage/PhotoReader.swift", "StillImage/PhotoEditor.swift"], form: .boxes,
        words: boxTypes.map(\.description) + ["urn:com:apple:photo:2020:aux:hdrgainmap", "application/rdf+xml"],
        samples: { heifSamples() + [DevicePair.photo] }, describe: describePhoto,
        run: { bytes in
            _ = try? HEIFTiles(bytes)
            if let alone = try? HEIF.pictureAlone(bytes) {
                Fuzzing.must("a picture alone cannot be read") { _ = try HEIF(alone) }
            }
            exercisePhoto(bytes)
        })

    static let jpeg = FuzzedReader(
        sources: ["StillImage/JPEG", "StillImage/PhotoMetadata.swift", "StillImage/CarriedMetadata.swift"], form: .jpeg,
        words: jpegWords, samples: { jpegSamples() }, describe: describePhoto,
        run: { bytes in
            exercisePhoto(bytes)
            if let jpeg = try? JPEG(bytes) { exercise(jpeg) }
        })

    static let jpegWords = [
        "Exif\0\0", "http://ns.adobe.com/xap/1.0/\0", "http://ns.adobe.com/xmp/extension/\0", "ICC_PROFILE\0", "MPF\0",
        "urn:iso:std:iso:ts:21496:-1\0", "Photoshop 3.0\0", "8BIM", "JFIF\0",
    ]

    static let tiff = FuzzedReader(
        sources: [
            "StillImage/TIFF", "StillImage/Exif.swift", "StillImage/ExifUpdate.swift",
            "StillImage/AppleMakerNote.swift",
            "StillImage/PhotoField.swift", "StillImage/ContainerExif.swift", "StillImage/CaptureDate+Exif.swift",
            "StillImage/GeographicLocation+Exif.swift",
        ],
        form: .tiff,
        words: ["Apple iOS\0", "II*\0", "MM\0*", "2025:01:31 11:06:47", "+09:00", "ASCII\0\0\0", "UNICODE\0"],
        samples: { exifSamples() + makerNotes() }, describe: describeExif, run: exerciseExif)

    static let xmp = FuzzedReader(
        sources: ["StillImage/XMP"],
        words: [
            "<rdf:Description", "<rdf:Seq>", "<rdf:li>", "rdf:parseType=\"Resource\"", "rdf:resource=", "xml:lang=",
            "<![CDATA[",
            "]]>", "<!--", "-->", "<?", "?>", "&#x", "&lt;", "&amp;", "xmlns:", "G:MotionPhoto", "I:Length",
            "<!DOCTYPE",
        ],
        samples: { xmpSamples() }, describe: describeXMP, run: exerciseXMP)

    /// The MakerNotes in the samples.
    private static func makerNotes() -> [[UInt8]] {
        exifSamples().compactMap { tiff in
            try? TIFF(from: ByteReader(tiff, structure: "TIFF")).exif?[.makerNote]?.data
        }
    }
}

/// Reads a photo with all that is in it, and edits it: what comes of that has to be a photo that says what it was told.
private func exercisePhoto(_ bytes: [UInt8]) {
    guard let reader = try? PhotoReader(scratchFile(bytes)) else { return }
    _ = try? reader.xmp()
    _ = try? reader.gainMap()
    checkMovie(of: reader, in: bytes)
    _ = try? MotionPhotoDescription(reader)
    _ = EmbeddedThumbnail(of: bytes)
    if let tiff = try? reader.tiff() { _ = try? PhotoField.all(in: tiff) }
    guard let old = try? PhotoMetadata(reader), let editor = try? PhotoEditor(bytes) else { return }
    for (update, keepsMetadata) in updates.flatMap({ [($0, true), ($0, false)] }) {
        guard let edited = try? editor.applying(update, keepingMetadata: keepsMetadata) else { continue }
        do {
            let new = try PhotoMetadata(edited)
            Fuzzing.expect(new.size == old.size, "an edit changes the photo's size")
            check(new.contentIdentifier, new.exif, update)
            _ = try PhotoEditor(edited)
            let xmp = update.location == .remove ? try? PhotoReader(scratchFile(edited)).xmp() : nil
            Fuzzing.expect(
                xmp?.properties.contains { $0.name.local == "City" || $0.name.local.hasPrefix("GPS") } != true,
                "XMP has the place that was removed")
        } catch {
            Fuzzing.fail("an edited photo cannot be read: \(error)")
        }
    }
}

/// Replaces parts of a JPEG, which then has the new ones.
private func exercise(_ jpeg: JPEG) {
    _ = jpeg.estimatedQuality
    let profile = jpeg.iccProfile ?? Array("profile".utf8)
    if let edited = try? jpeg.replacingICCProfile(with: profile) {
        Fuzzing.expect((try? JPEG(edited))?.iccProfile == profile, "the profile that was set is another one")
    }
    let picture = PictureChange.Picture(size: jpeg.size, orientation: .upright)
    let change = PictureChange(from: picture, to: picture, map: UnitMap())
    let carried = CarriedMetadata(jpeg.bytes, change, without: .location)
    if let packet = carried.xmp {
        Fuzzing.must("carried XMP cannot be read") { _ = try XMP(packet) }
    }
    if let plain = plainJPEG, let described = try? carried.added(to: plain) {
        Fuzzing.expect(described.size == plain.size, "carried metadata change a photo's size")
    }
}

let plainJPEG = try? JPEG(SamplePair.jpeg())

/// A note with another identifier has that one; without it, it has none.
private func exerciseMakerNote(_ note: [UInt8]) {
    func found(_ note: [UInt8]) throws -> FileText? {
        try AppleMakerNote(from: ByteReader(note, structure: "MakerNote")).contentIdentifier()
    }
    if let read = try? AppleMakerNote(from: ByteReader(note, structure: "MakerNote")) {
        _ = (read.headroom, read.bytes)
    }
    guard let identifier else { return }
    if let edited = try? AppleMakerNote.setting(identifier, in: note) {
        Fuzzing.must("an edited MakerNote cannot be read") {
            Fuzzing.expect(
                try found(edited) == FileText(identifier.string), "the identifier that was set is another one")
        }
    }
    if let edited = try? AppleMakerNote.removingContentIdentifier(from: note) {
        Fuzzing.expect((try? found(edited)) == .some(nil), "the identifier that was removed is there")
    }
}

/// The same for Exif data alone.
private func exerciseExif(_ tiff: [UInt8]) {
    if AppleMakerNote.isApple(tiff) { return exerciseMakerNote(tiff) }
    let reader = ByteReader(tiff, structure: "Exif TIFF")
    for field in (try? PhotoField.all(in: reader)) ?? [] {
        let text = try? field.text.get()
        Fuzzing.expect(
            text?.count ?? 0 <= 4 * TIFFField.printedCharacters, "a field prints \(text?.count ?? 0) characters")
    }
    if let read = try? TIFF(from: reader) {
        let again = try? TIFF(from: ByteReader(read.bytes, structure: "TIFF"))
        Fuzzing.expect(again?.bytes == read.bytes, "a TIFF is read back as another one")
    }
    _ = try? ContainerExif.tiff(in: tiff)
    for update in updates {
        guard let edited = try? update.applied(to: tiff) else { continue }
        do {
            let new = try TIFF(from: ByteReader(edited, structure: "Exif TIFF"))
            check(new.contentIdentifier(), Exif(from: new), update)
        } catch {
            Fuzzing.fail("edited Exif data cannot be read: \(error)")
        }
    }
}

private func check(
    _ found: Result<FileText, MissingContentIdentifier>, _ exif: Exif?, _ update: ExifUpdate
) {
    switch update.contentIdentifier {
    case .set(let identifier):
        Fuzzing.expect(found == .success(FileText(identifier.string)), "the identifier that was set is \(found)")
    case .remove: Fuzzing.expect((try? found.get()) == nil, "the identifier that was removed is \(found)")
    case .keep, .fillIn: break
    }
    switch update.captureDate {
    case .set(let date): Fuzzing.expect(exif?.captureDate == date, "the date that was set is another")
    case .remove: Fuzzing.expect(exif?.captureDate == nil, "the date that was removed is there")
    case .keep, .fillIn: break
    }
    switch update.location {
    case .set: Fuzzing.expect(exif?.location != nil, "the place that was set is not there")
    case .remove: Fuzzing.expect(exif?.location == nil, "the place that was removed is there")
    case .keep, .fillIn: break
    }
}
