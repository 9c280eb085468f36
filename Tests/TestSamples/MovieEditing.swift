extension [UInt8] {
    /// With every `pattern` replaced by something of the same length.
    package func replacing(bytes pattern: [UInt8], with other: [UInt8]) -> [UInt8] {
        precondition(pattern.count == other.count, "offsets must not move")
        var result = self
        for start in indices.dropLast(pattern.count - 1) where self[start...].starts(with: pattern) {
            result.replaceSubrange(start..<start + pattern.count, with: other)
        }
        return result
    }

    /// A movie whose `moov` is its last box, with more in it.
    package func addingToMovieBox(_ bytes: [UInt8]) -> [UInt8] {
        guard let type = indices.first(where: { self[$0...].starts(with: "moov".utf8) }) else { return self }
        let size = UInt32(count - type + 4 + bytes.count)
        var result = self + bytes
        for place in 0..<4 { result[type - 4 + place] = UInt8(truncatingIfNeeded: size >> (8 * (3 - place))) }
        return result
    }
}
