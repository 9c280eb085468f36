import Bytes
import CHeif

/// Reads from a HEIF file's boxes (ISO/IEC 14496-12, 23008-12) what libheif 1.15 does not report or gets wrong. Damage is
/// ignored here: libheif reads the same boxes and reports it.
struct HeifBoxes {
    private let file: [UInt8]

    init(_ file: [UInt8]) {
        self.file = file
    }

    /// The finest chroma of the file's coded images; nil if none is declared. Alpha and depth are monochrome and thumbnails
    /// are like their image, so this is the primary image's, but in a file that mixes kinds.
    var chroma: heif_chroma? {
        let properties = boxes("meta", "iprp", "ipco")
        let found = properties.compactMap { box -> heif_chroma? in
            switch box.type {
            // ISO/IEC 14496-15 8.3.3.1: chroma_format_idc of H.265.
            case "hvcC": byte(16, of: box.content).map { heif_chroma(rawValue: UInt32($0 & 3)) }
            // AV1-ISOBMFF 2.3.3: after two depth bits, monochrome, subsampling in x and in y.
            case "av1C":
                byte(2, of: box.content).map {
                    $0 & 0x10 != 0
                        ? heif_chroma_monochrome
                        : $0 & 8 == 0 ? heif_chroma_444 : $0 & 4 == 0 ? heif_chroma_422 : heif_chroma_420
                }
            default: nil
            }
        }
        return found.max { $0.rawValue < $1.rawValue }
    }

    /// The file without the references from metadata to what they describe, which a picture does not need: libheif 1.15
    /// refuses a file in which one leads to an item it does not know, as in photos of newer iPhones.
    var withoutMetadataReferences: [UInt8] {
        var copy = file
        for box in boxes("meta", "iref") where box.type == "cdsc" {
            copy.replaceSubrange(box.content.lowerBound - 4..<box.content.lowerBound, with: Array("skip".utf8))
        }
        return copy
    }

    private struct Box {
        let type: FourCC
        let content: Range<Int>
    }

    private func byte(_ index: Int, of content: Range<Int>) -> UInt8? {
        index < content.count ? file[content.lowerBound + index] : nil
    }

    /// The boxes within those of this path, the first of each type.
    private func boxes(_ path: FourCC...) -> [Box] {
        var range = file.indices
        for type in path {
            guard let box = boxes(in: range).first(where: { $0.type == type }) else { return [] }
            // `meta` and `iref` begin with a version and flags.
            let header = type == "meta" || type == "iref" ? 4 : 0
            guard box.content.count >= header else { return [] }
            range = box.content.dropFirst(header)
        }
        return boxes(in: range)
    }

    private func boxes(in range: Range<Int>) -> [Box] {
        var found: [Box] = []
        var start = range.lowerBound
        while range.upperBound - start >= 8 {
            let type = FourCC(rawValue: UInt32(integer(at: start + 4, bytes: 4)))
            var size = integer(at: start, bytes: 4)
            var header = 8
            // ISO/IEC 14496-12 4.2: 1 is a 64-bit size that follows, 0 the rest of the file.
            if size == 1, range.upperBound - start >= 16 { (size, header) = (integer(at: start + 8, bytes: 8), 16) }
            if size == 0 { size = UInt64(range.upperBound - start) }
            guard size >= header, size <= range.upperBound - start else { break }
            found.append(Box(type: type, content: start + header..<start + Int(size)))
            start += Int(size)
        }
        return found
    }

    private func integer(at start: Int, bytes: Int) -> UInt64 {
        file[start..<start + bytes].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
