/// The second byte of a JPEG marker; the first is FF (ITU-T T.81 table B.1).
package struct JPEGMarker: Hashable, Sendable {
    package let rawValue: UInt8

    package static let quantizationTables = JPEGMarker(rawValue: 0xDB)
    package static let startOfScan = JPEGMarker(rawValue: 0xDA)
    package static let app0 = JPEGMarker(rawValue: 0xE0)
    package static let app1 = JPEGMarker(rawValue: 0xE1)
    package static let app2 = JPEGMarker(rawValue: 0xE2)
    package static let app11 = JPEGMarker(rawValue: 0xEB)
    package static let app13 = JPEGMarker(rawValue: 0xED)
    package static let app14 = JPEGMarker(rawValue: 0xEE)
    package static let comment = JPEGMarker(rawValue: 0xFE)

    /// Whether a frame header follows: C0 to CF, without the markers for Huffman tables (C4), extensions (C8) and
    /// arithmetic coding (CC).
    package var isStartOfFrame: Bool {
        (0xC0...0xCF).contains(rawValue) && ![0xC4, 0xC8, 0xCC].contains(rawValue)
    }

    /// Whether application data or a comment follows, which do not change the picture's samples.
    package var isMetadata: Bool { (0xE0...0xEF).contains(rawValue) || self == .comment }

    /// Whether a segment with a length follows that may come before the first scan: tables, frame headers, application
    /// data, comments. Not for markers without a segment (01, D0 to D9) and reserved ones.
    package var beginsSegment: Bool {
        rawValue >= 0xC0 && !(0xD0...0xD9).contains(rawValue) && rawValue != 0xFF
    }
}

extension JPEGMarker: CustomStringConvertible {
    /// `JPEG segment FFE1`
    package var description: String { "JPEG segment FF" + String(rawValue, radix: 16, uppercase: true) }
}
