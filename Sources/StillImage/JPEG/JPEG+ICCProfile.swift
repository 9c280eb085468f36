package import Bytes

/// An ICC profile in a JPEG: one or more segments APP2, each with its number and the total number (ICC.1:2022 B.4).
extension JPEG {
    private static let iccSignature = Array("ICC_PROFILE\0".utf8)
    /// Bytes of profile data in one segment, besides the signature and two bytes of numbering.
    private static let iccPartLimit = contentLimit - iccSignature.count - 2

    /// Bytes that the maximum of 255 segments can hold.
    package static let iccProfileLimit = 255 * iccPartLimit

    /// The profile; nil if there is none, or parts are missing, repeated or of several profiles.
    package var iccProfile: [UInt8]? {
        let contents = segments.filter(isICCProfile).map { bytes[$0.content].dropFirst(Self.iccSignature.count) }
        // Number from 1 on, count, data.
        let parts = contents.compactMap { part -> (number: Int, count: Int, data: ArraySlice<UInt8>)? in
            guard let number = part.first, let count = part.dropFirst().first else { return nil }
            return (Int(number), Int(count), part.dropFirst(2))
        }.sorted { $0.number < $1.number }
        guard !parts.isEmpty, parts.count == contents.count, parts.map(\.number) == Array(1...parts.count),
            parts.allSatisfy({ $0.count == parts.count })
        else { return nil }
        return parts.flatMap(\.data)
    }

    /// Whether the colours are sRGB: there is no profile, or its description names sRGB.
    var isSRGB: Bool {
        guard segments.contains(where: isICCProfile) else { return true }
        func names(_ space: String) -> Bool {
            // Descriptions are in ASCII or UTF-16.
            let texts: [[UInt8]] = [Array(space.utf8), space.utf8.flatMap { [0, $0] as [UInt8] }]
            return texts.contains { text in iccProfile.map { $0.firstRange(of: text) != nil } ?? false }
        }
        // "Display P3 Gamut with sRGB Transfer" is another one.
        return names("sRGB") && !names("P3")
    }

    /// The file with this ICC profile in place of an existing one; everything else stays byte for byte. The profile goes
    /// after the JFIF header and Exif, which have to be first.
    ///
    /// - Parameter profile: nil for none.
    /// - Throws: `ParseError` for a profile that does not fit in a JPEG.
    package func replacingICCProfile(with profile: [UInt8]?) throws(ParseError) -> [UInt8] {
        let profile = profile ?? []
        guard profile.count <= Self.iccProfileLimit else {
            throw ParseError(
                .overLimit, in: "ICC profile", at: 0,
                expected: "at most \(Self.iccProfileLimit) bytes in a JPEG, found \(profile.count)")
        }
        let header = segments.prefix { $0.marker == .app0 || $0.marker == .app1 }
        var new = Array(bytes[..<end(of: header)])
        let starts = Array(stride(from: 0, to: profile.count, by: Self.iccPartLimit))
        for (index, start) in starts.enumerated() {
            let numbers = [UInt8(index + 1), UInt8(starts.count)]
            new += Self.segment(.app2, Self.iccSignature + numbers + profile[start...].prefix(Self.iccPartLimit))
        }
        for segment in segments.dropFirst(header.count) where !isICCProfile(segment) { new += bytes[segment.range] }
        new += bytes[headEnd...]
        return new
    }

    func isICCProfile(_ segment: Segment) -> Bool { isSegment(segment, .app2, Self.iccSignature) }
}
