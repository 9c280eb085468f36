package import Bytes

extension ByteReader {
    /// The version and flags at the beginning of a full box (ISO/IEC 14496-12, 4.2.2).
    ///
    /// - Parameter latest: the latest supported version.
    package mutating func fullBoxHeader(latest: UInt8 = 0) throws(ParseError) -> (version: UInt8, flags: UInt32) {
        let field = try integer(UInt32.self)
        let version = UInt8(field >> 24)
        guard version <= latest else {
            throw error(.unsupported, expected: "version \(latest) or earlier, found \(version)")
        }
        return (version, field & 0xFF_FFFF)
    }

    /// An integer of 32 bits in version 0 of a box and of 64 bits in later ones.
    package mutating func versioned(_ version: UInt8) throws(ParseError) -> UInt64 {
        version == 0 ? UInt64(try integer(UInt32.self)) : try integer(UInt64.self)
    }

    /// A duration with the width of `versioned`; nil if all bits are set, which means unknown.
    package mutating func versionedDuration(_ version: UInt8) throws(ParseError) -> UInt64? {
        let duration = try versioned(version)
        return duration == (version == 0 ? UInt64(UInt32.max) : .max) ? nil : duration
    }

    /// A table after its 32-bit number of entries.
    package mutating func countedTable<Entry>(
        entrySize: Int, _ read: (inout ByteReader) throws(ParseError) -> Entry
    ) throws(ParseError) -> [Entry] {
        let count = try integer(UInt32.self)
        return try table(count: Int(count), entrySize: entrySize, read)
    }
}

extension ByteWriter {
    package mutating func fullBoxHeader(version: UInt8 = 0, flags: UInt32 = 0) {
        integer(UInt32(version) << 24 | flags & 0xFF_FFFF)
    }

    package mutating func versioned(_ value: UInt64, _ version: UInt8) {
        if version == 0 { integer(UInt32(truncatingIfNeeded: value)) } else { integer(value) }
    }

    package mutating func versionedDuration(_ duration: UInt64?, _ version: UInt8) {
        versioned(duration ?? .max, version)
    }

    package mutating func count(_ entries: some Collection) {
        integer(UInt32(clamping: entries.count))
    }
}
