import Bytes

/// A byte stream of NAL units between start codes: 00 00 01, or 00 00 00 01 (ITU-T H.264, Annex B).
enum AnnexB {
    /// The ranges of the NAL units in `bytes`, without empty ones.
    ///
    /// - Throws: `.invalidValue` if there are bytes other than zero before the first start code.
    static func units(in bytes: Span<UInt8>, structure: String) throws(ParseError) -> [Range<Int>] {
        var units: [Range<Int>] = []
        var unitStart: Int?
        var searchFrom = 0
        while true {
            let code = startCode(in: bytes, from: searchFrom)
            // A unit never ends in a zero: zeros before a start code are not part of a unit (B.2).
            let end = trimmingZeros(bytes, from: unitStart ?? 0, to: code ?? bytes.count)
            if let unitStart {
                if unitStart < end { units.append(unitStart..<end) }
            } else if end > 0 {
                throw ParseError(.invalidValue, in: structure, at: 0, expected: "an Annex B start code")
            }
            guard let code else { return units }
            searchFrom = code + 3
            unitStart = searchFrom
        }
    }

    /// The index of the next 00 00 01. Skips three bytes at a time if the third is above 1, as most bytes are.
    private static func startCode(in bytes: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while index + 2 < bytes.count {
            switch bytes[index + 2] {
            case 0: index += 1
            case 1 where bytes[index] == 0 && bytes[index + 1] == 0: return index
            default: index += 3
            }
        }
        return nil
    }

    private static func trimmingZeros(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        var end = end
        while end > start, bytes[end - 1] == 0 { end -= 1 }
        return end
    }
}
