extension JPEG {
    /// The sum of the Independent JPEG Group's luminance table at quality 50 (ITU-T T.81, table K.1).
    private static let sumAtQuality50 = 3688

    /// The quality at which the Independent JPEG Group's encoder would quantize luminance as coarsely, from 1 to 100. Nil
    /// without a table of luminance.
    package var estimatedQuality: Int? {
        for segment in segments where segment.marker == .quantizationTables {
            var content = bytes[segment.content]
            // Each table: precision and number, then 64 steps of one or two bytes (T.81 B.2.4.1).
            while let kind = content.popFirst() {
                let isWide = kind >> 4 != 0
                let steps = content.prefix(isWide ? 128 : 64)
                content = content.dropFirst(steps.count)
                guard kind & 0xF == 0 else { continue }
                let sum =
                    isWide
                    ? stride(from: steps.startIndex, to: steps.endIndex - 1, by: 2).reduce(0) {
                        $0 + Int(steps[$1]) << 8 + Int(steps[$1 + 1])
                    } : steps.reduce(0) { $0 + Int($1) }
                let percent = max(sum * 100 / Self.sumAtQuality50, 1)
                return min(max(percent > 100 ? 5000 / percent : (200 - percent) / 2, 1), 100)
            }
        }
        return nil
    }
}
