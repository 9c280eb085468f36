/// The frames of a Speex packet, which begin at any bit.
///
/// FLV has no header that states how many frames a packet has, and libavcodec's decoder then decodes the first one.
package enum SpeexFrames {
    /// The bits of a narrowband frame by its mode, with the 5 bits before it: a 0 and the mode (The Speex Codec Manual, table 9.2).
    private static let narrowband = [5, 43, 119, 160, 220, 300, 364, 492, 79]
    /// The mode that ends a packet.
    private static let terminator = 15
    /// The bits of the layer for higher frequencies, which follows a frame and begins with a 1 and its mode (table 10.2).
    private static let layers = [4, 36, 112, 192, 352]

    /// The frames of a packet, each beginning at a byte.
    ///
    /// - Returns: nil for a packet that is cut off, or contains anything else than frames.
    package static func split(_ packet: [UInt8]) -> [[UInt8]]? {
        let bits = packet.count * 8
        var begins: [Int] = []
        var offset = 0
        while bits - offset >= 5 {
            if value(packet, offset, 1) == 1 {
                let mode = value(packet, offset + 1, 3)
                guard !begins.isEmpty, layers.indices.contains(mode) else { return nil }
                offset += layers[mode]
            } else {
                let mode = value(packet, offset + 1, 4)
                if mode == terminator { break }
                guard narrowband.indices.contains(mode) else { return nil }
                begins.append(offset)
                offset += narrowband[mode]
            }
        }
        guard offset <= bits, !begins.isEmpty else { return nil }
        return zip(begins, begins.dropFirst() + [offset]).map { begin, end in
            stride(from: begin, to: end, by: 8).map {
                UInt8(value(packet, $0, min(8, end - $0)) << max(0, 8 - (end - $0)))
            }
        }
    }

    /// The number in some bits.
    private static func value(_ packet: [UInt8], _ offset: Int, _ count: Int) -> Int {
        (offset..<offset + count).reduce(0) { $0 << 1 | Int(packet[$1 / 8] >> (7 - $1 % 8) & 1) }
    }
}
