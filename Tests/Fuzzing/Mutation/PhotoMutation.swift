import Bytes
import StillImage

/// Nil for bytes that are no JPEG.
func segmentsChanged(_ input: [UInt8], _ random: inout FuzzRandom) -> [UInt8]? {
    var segments: [(marker: UInt8, content: [UInt8])] = []
    var rest = input[2...]
    while rest.count >= 4, rest.first == 0xFF, let marker = rest.dropFirst().first, marker != 0xDA {
        let size = rest.dropFirst(2).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        guard size >= 2, size + 2 <= rest.count else { break }
        segments.append((marker, Array(rest.dropFirst(4).prefix(size - 2))))
        rest = rest.dropFirst(size + 2)
    }
    guard !segments.isEmpty else { return nil }
    var end = Array(rest)
    if random.next(below: 5) == 0 {
        end = changed(end)
    } else {
        var inner = random
        changeList(&segments, &random) { segment in
            let exif = Array("Exif\0\0".utf8)
            if segment.content.starts(with: exif), inner.next(below: 2) == 0,
                let tiff = tiffChanged(Array(segment.content.dropFirst(exif.count)), &inner)
            {
                segment.content = exif + tiff
            } else {
                segment.content = changed(segment.content)
            }
            segment.content = Array(segment.content.prefix(JPEG.contentLimit))
        }
    }
    let head = segments.flatMap { segment in
        let size = segment.content.count + 2
        return [0xFF, segment.marker, UInt8(size >> 8), UInt8(size & 0xFF)] + segment.content
    }
    return [0xFF, 0xD8] + head + end
}

/// Changes a field: its tag, its type, its number of values, or the place of the values, which lies in the data. Nil for
/// bytes that are neither a TIFF nor Apple's MakerNote.
func tiffChanged(_ input: [UInt8], _ random: inout FuzzRandom) -> [UInt8]? {
    let isNote = AppleMakerNote.isApple(input)
    let header = isNote ? 12 : 0
    guard input.count >= header + 8 else { return nil }
    let isLittle = input[header] == UInt8(ascii: "I")
    func number(at place: Int, _ count: Int) -> Int? {
        guard place >= 0, place + count <= input.count else { return nil }
        let bytes = input[place..<place + count]
        return isLittle ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
    }
    // The places of all fields that the directories list.
    var fields: [Int] = []
    var directories = [isNote ? 14 : number(at: 4, 4) ?? 8]
    for index in 0..<8 where index < directories.count {
        let start = directories[index]
        guard let count = number(at: start, 2), count <= 200 else { continue }
        for field in (0..<count).map({ start + 2 + 12 * $0 }) where field + 12 <= input.count {
            fields.append(field)
            if let tag = number(at: field, 2), subdirectories.contains(tag), let place = number(at: field + 8, 4) {
                directories.append(place)
            }
        }
        if let next = number(at: start + 2 + 12 * count, 4), next > 0 { directories.append(next) }
    }
    guard let field = random.element(of: fields) else { return nil }
    var output = input
    func set(_ value: Int, at place: Int, _ count: Int) {
        for index in 0..<count {
            output[place + index] = UInt8(truncatingIfNeeded: value >> (8 * (isLittle ? index : count - 1 - index)))
        }
    }
    switch random.next(below: 6) {
    case 0: set(random.element(of: tags) ?? 0, at: field, 2)
    case 1: set(1 + random.next(below: 13), at: field + 2, 2)
    case 2: set(random.next(below: 40), at: field + 4, 4)
    case 3: set(random.next(below: input.count + 1), at: field + 8, 4)
    case 4:
        guard let other = random.element(of: fields) else { break }
        output.replaceSubrange(field..<field + 12, with: input[other..<other + 12])
    default:
        // Values of their own, behind everything else.
        set(random.next(below: 64), at: field + 4, 4)
        set(input.count, at: field + 8, 4)
        output += changed(Array(input.suffix(32)))
    }
    return output
}

private let subdirectories = [TIFFTag.exifIFD, .gpsIFD, .interoperabilityIFD, .makerNote].map { Int($0.rawValue) }

private let tags = [
    TIFFTag.make, .model, .orientation, .software, .dateTime, .exifIFD, .gpsIFD, .exifVersion, .dateTimeOriginal,
    .offsetTimeOriginal, .subSecTimeOriginal, .makerNote, .userComment, .pixelXDimension, .pixelYDimension, .jpegOffset,
    .jpegByteCount, .stripOffsets, .stripByteCounts, .gpsLatitude, .gpsLatitudeReference, .gpsAltitude,
    .appleContentIdentifier, .appleHDRHeadroom, .appleHDRGain,
].map { Int($0.rawValue) }
