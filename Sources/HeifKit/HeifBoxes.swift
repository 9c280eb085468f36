import Bytes
import CHeif
import ISOBMFF

/// Reads from a HEIF file's boxes (ISO/IEC 14496-12, 23008-12) what libheif 1.15 does not report or gets wrong. Damage
/// is ignored here: libheif reads the same boxes and reports it.
struct HeifBoxes {
    private let file: [UInt8]

    init(_ file: [UInt8]) {
        self.file = file
    }

    /// The finest chroma of the file's coded images; nil when the file does not say. Alpha and depth are monochrome and
    /// thumbnails are like their image, so this is the primary image's chroma, except in a file that mixes several.
    var chroma: heif_chroma? {
        let properties = boxes("meta", "iprp", "ipco")
        let found = properties.compactMap { box -> heif_chroma? in
            switch box.type {
            // ISO/IEC 14496-15 8.3.3.1: chroma_format_idc of H.265.
            case "hvcC": byte(16, of: box.payload).map { heif_chroma(rawValue: UInt32($0 & 3)) }
            // AV1-ISOBMFF 2.3.3: after two depth bits, monochrome, subsampling in x and in y.
            case "av1C":
                byte(2, of: box.payload).map {
                    $0 & 0x10 != 0
                        ? HeifChromaMonochrome
                        : $0 & 8 == 0 ? heif_chroma_444 : $0 & 4 == 0 ? heif_chroma_422 : heif_chroma_420
                }
            default: nil
            }
        }
        return found.max { $0.rawValue < $1.rawValue }
    }

    /// The file with references from thumbnails to the primary image: libheif 1.15 writes them the other way round.
    var withThumbnailsOfPrimary: [UInt8] {
        var copy = file
        guard let primary = boxes("meta").first(where: { $0.type == "pitm" }).map({ Array(file[$0.range].suffix(2)) })
        else { return file }
        for box in boxes("meta", "iref") where box.type == "thmb" {
            // Numbers of 16 bits: the item that refers, how many it refers to, and the first of those.
            let (from, to) = (box.range.lowerBound + 8, box.range.lowerBound + 12)
            guard box.range.count >= 14, Array(file[from..<from + 2]) == primary else { continue }
            copy.replaceSubrange(from..<from + 2, with: file[to..<to + 2])
            copy.replaceSubrange(to..<to + 2, with: primary)
        }
        return copy
    }

    /// The file whose pictures of 10 bits say that they are of the profile Main 10 Still Picture (ITU-T H.265, A.3.4), which
    /// more devices decode. libheif asks x265 for `main10-intra`, a profile of the range extensions that uses none of them.
    var withMain10Profile: [UInt8] {
        var copy = file
        for box in boxes("meta", "iprp", "ipco") where box.type == "hvcC" {
            let start = box.payloadRange.lowerBound
            // 4:2:0 with 10 bits.
            guard box.payloadRange.count > 23, file[start + 16] & 3 == 1, file[start + 17] & 7 == 2 else { continue }
            let sets = start + 23..<box.payloadRange.upperBound
            let places = sets.filter { file[$0..<sets.upperBound].starts(with: Self.intraProfile) }
            // In the video and the sequence parameter set.
            guard places.count == 2 else { continue }
            for place in places {
                copy.replaceSubrange(place..<place + Self.intraProfile.count, with: Self.stillProfile)
            }
            // The box repeats it, without the bytes that prevent a start code.
            copy.replaceSubrange(start + 1..<start + 12, with: [2, 0x20, 0, 0, 0, 0x90, 0x10, 0, 0, 0, 0])
        }
        return copy
    }

    /// profile_tier_level up to the level, as x265 writes it: range extensions, compatible with those only, progressive frames
    /// of at most 10 bits and 4:2:0, intra, one picture.
    private static let intraProfile: [UInt8] = [4, 8, 0, 0, 3, 0, 0x9D, 0xB8, 0, 0, 3, 0, 0]
    /// The same for Main 10: progressive frames, one picture.
    private static let stillProfile: [UInt8] = [2, 0x20, 0, 0, 3, 0, 0x90, 0x10, 0, 0, 3, 0, 0]

    private func byte(_ index: Int, of payload: ByteReader) -> UInt8? {
        var reader = payload
        return (try? reader.skip(index)) == nil ? nil : try? reader.integer(UInt8.self)
    }

    /// The boxes within those of this path, the first of each type.
    private func boxes(_ path: FourCC...) -> [ChildBox] {
        var container = ByteReader(file, structure: "HEIF")
        for type in path {
            guard let box = Self.boxes(in: container).first(where: { $0.type == type }) else { return [] }
            container = box.payload
            if type == "meta" || type == "iref", (try? container.fullBoxHeader(latest: .max)) == nil { return [] }
        }
        return Self.boxes(in: container)
    }

    /// The boxes up to the end or the first damaged one.
    private static func boxes(in container: ByteReader) -> [ChildBox] {
        var reader = container
        var boxes: [ChildBox] = []
        while let box = (try? reader.nextBox()) ?? nil { boxes.append(box) }
        return boxes
    }
}
