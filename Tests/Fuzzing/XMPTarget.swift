import Bytes
import Files
import MediaModel
import StillImage

/// XMP alone, then in a photo with a movie behind it.
func exerciseXMP(_ packet: [UInt8]) {
    guard let xmp = try? XMP(packet) else { return }
    for property in xmp.properties { visit(property.value, depth: 0) }
    guard let photo = jpegSample(xmp: packet) else { return }
    let bytes = photo + movieStart
    guard let reader = try? PhotoReader(scratchFile(bytes)) else { Fuzzing.fail("a photo with XMP cannot be read") }
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

func checkMovie(of photo: PhotoReader, in bytes: [UInt8]) {
    guard let video = try? EmbeddedVideo(photo) else { return }
    Fuzzing.expect(
        video.range.lowerBound >= 0 && video.range.upperBound <= bytes.count, "a movie is outside of the file")
    Fuzzing.expect(bytes[video.range].dropFirst(4).starts(with: "ftyp".utf8), "a movie begins without ftyp")
}

/// The texts that are found in XMP, with the names that have them.
func describeXMP(_ packet: [UInt8]) throws -> String {
    var leaves: [[String]] = []
    func add(_ name: XMLName, _ value: XMP.Value) {
        switch value {
        case .text(let text):
            leaves.append([name.namespace, name.local, text].map { $0.string(limit: .max) })
        case .array(let items): for item in items { add(name, item) }
        case .structure(let fields): for field in fields { add(field.name, field.value) }
        }
    }
    for property in try XMP(packet).properties { add(property.name, property.value) }
    return try JSON.text(leaves)
}

/// The stored size of a photo and its content identifier.
func describePhoto(_ bytes: [UInt8]) throws -> String {
    let photo = try PhotoMetadata(bytes)
    let identifier = (try? photo.contentIdentifier.get())?.string(limit: .max)
    return try JSON.text([
        "width": "\(photo.size.width)", "height": "\(photo.size.height)",
        "orientation": "\(photo.orientation.rawValue)",
        "identifier": identifier ?? "",
    ])
}

/// Some fields of Exif data.
func describeExif(_ tiff: [UInt8]) throws -> String {
    let image = try TIFF(from: ByteReader(tiff, structure: "TIFF")).image
    let texts = [TIFFTag.make, .model, .software].map { image[$0]?.text?.string(limit: .max) ?? "" }
    return try JSON.text(["Make": texts[0], "Model": texts[1], "Software": texts[2]])
}
