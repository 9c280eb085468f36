import Bytes
import MediaModel
import StillImage

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

/// Reads a photo with all that is in it, and edits it: what comes of that has to be a photo that says what it was told.
func exercisePhoto(_ bytes: [UInt8]) {
    guard let reader = try? PhotoReader(inputFile(bytes)) else { return }
    _ = try? reader.xmp()
    _ = try? reader.gainMap()
    if let map = FurtherPictures(bytes).gainMap { _ = try? map.added(to: bytes, .rotated90Clockwise) }
    checkMovie(of: reader, in: bytes)
    if let tiff = try? reader.tiff() { _ = try? PhotoField.all(in: tiff) }
    guard let old = try? PhotoMetadata(reader), let editor = try? PhotoEditor(bytes) else { return }
    for (update, droppingXMP) in updates.flatMap({ [($0, false), ($0, true)] }) {
        guard let edited = try? editor.applying(update, droppingXMP: droppingXMP) else { continue }
        do {
            let new = try PhotoMetadata(edited)
            Fuzzing.expect(new.size == old.size, "an edit changes the photo's size")
            check(new.contentIdentifier, new.exif, update)
            _ = try PhotoEditor(edited)
        } catch {
            Fuzzing.fail("an edited photo cannot be read: \(error)")
        }
    }
}

/// The same for Exif data alone.
func exerciseExif(_ tiff: [UInt8]) {
    let reader = ByteReader(tiff, structure: "Exif TIFF")
    for field in (try? PhotoField.all(in: reader)) ?? [] {
        let text = try? field.text.get()
        Fuzzing.expect(
            text?.count ?? 0 <= 4 * TIFFField.printedCharacters, "a field prints \(text?.count ?? 0) characters")
    }
    if let read = try? TIFF(from: reader) {
        Fuzzing.expect((try? TIFF(from: ByteReader(read.bytes, structure: "TIFF"))) != nil, "a TIFF is not read back")
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
    _ found: Result<String, MissingContentIdentifier>, _ exif: Exif?, _ update: ExifUpdate
) {
    switch update.contentIdentifier {
    case .set(let identifier):
        Fuzzing.expect(found == .success(identifier.string), "the identifier that was set is \(found)")
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

/// XMP alone, then in a photo with a movie behind it.
func exerciseXMP(_ packet: [UInt8]) {
    guard let xmp = try? XMP(packet) else { return }
    for property in xmp.properties { visit(property.value, depth: 0) }
    guard let photo = jpegSample(xmp: packet) else { return }
    let bytes = photo + movieStart
    guard let reader = try? PhotoReader(inputFile(bytes)) else { Fuzzing.fail("a photo with XMP cannot be read") }
    checkMovie(of: reader, in: bytes)
}

private func visit(_ value: XMP.Value, depth: Int) {
    Fuzzing.expect(depth <= XMLLimits.depth, "values lie \(depth) deep in one another")
    _ = value.integer
    switch value {
    case .text: return
    case .array(let items): for item in items { visit(item, depth: depth + 1) }
    case .structure(let fields): for field in fields { visit(field.value, depth: depth + 1) }
    }
}

private func checkMovie(of photo: PhotoReader, in bytes: [UInt8]) {
    guard let video = try? EmbeddedVideo(photo) else { return }
    Fuzzing.expect(
        video.range.lowerBound >= 0 && video.range.upperBound <= bytes.count, "a movie is outside of the file")
    Fuzzing.expect(bytes[video.range].dropFirst(4).starts(with: "ftyp".utf8), "a movie begins without ftyp")
}
