import CQREncode

/// A QR code of a text (ISO/IEC 18004), without the empty margin around it, which must be four modules wide.
package struct QRCode: Sendable {
    /// The number of modules of an edge.
    package let size: Int
    /// Whether each module is dark, row by row.
    private let modules: [Bool]

    /// Nil for a text that is too long, or has a zero byte.
    package init?(_ text: String) {
        // With the lowest level of correction, an address fits into fewer lines; a screen has no dirt.
        guard !text.utf8.contains(0), let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        // The lowest bit of each byte is the colour.
        modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    }

    /// Each row as text: `1` for a dark module, `0` for a light one.
    package var rows: [String] {
        (0..<size).map { row in String(modules[row * size..<(row + 1) * size].map { $0 ? "1" : "0" }) }
    }
}
