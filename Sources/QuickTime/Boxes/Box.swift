package import Bytes

/// A box (ISO/IEC 14496-12, 4.2; QuickTime calls it an atom) whose fields we know: both directions of it.
package protocol Box: Sendable, Equatable {
    static var type: FourCC { get }
    /// The type it is written with, for the one box that has two.
    var type: FourCC { get }

    /// Reads the payload: what follows size and type. The reader ends where the box does.
    init(from reader: inout ByteReader) throws(ParseError)
    /// Writes the payload.
    func write(to writer: inout ByteWriter)
}

extension Box {
    package var type: FourCC { Self.type }
}

/// A box inside another one, found but not yet read.
package struct ChildBox: Sendable {
    package let type: FourCC
    package let payload: ByteReader

    /// The box as `Value`, which has to use all of its bytes but for padding.
    package func read<Value: Box>(_: Value.Type = Value.self) throws(ParseError) -> Value {
        var reader = payload
        let box = try Value(from: &reader)
        try reader.finishPadded()
        return box
    }
}

extension ByteReader {
    /// The next box, or nil at the end. Zeros too few or too empty to be a box end the list as well: QuickTime
    /// closes some lists with a 32-bit zero (QuickTime File Format, "User data atoms").
    package mutating func nextBox() throws(ParseError) -> ChildBox? {
        guard !isAtEnd else { return nil }
        if beginsWithZeros(BoxHeader.shortSize) { return nil }
        let header = try BoxHeader(from: &self)
        let payload = try reader(header.payloadSize ?? remaining, structure: header.type.description)
        return ChildBox(type: header.type, payload: payload)
    }

    /// Throws unless everything has been read but for padding: zeros, or boxes that say that they are empty space.
    package func finishPadded() throws(ParseError) {
        var padding = self
        while let box = (try? padding.nextBox()) ?? nil {
            guard box.type == "free" || box.type == "skip" else { return try finish() }
        }
        if !padding.rest().allSatisfy({ $0 == 0 }) { try finish() }
    }

    /// Whether the next `count` bytes, or all where fewer are left, are zeros.
    private func beginsWithZeros(_ count: Int) -> Bool {
        var copy = self
        guard let next = try? copy.bytes(min(count, remaining)) else { return false }
        return next.allSatisfy { $0 == 0 }
    }

    package func missing(_ type: FourCC) -> ParseError {
        error(.missing, expected: "a box of type \(type)")
    }

    /// Version and flags, with which a full box begins (ISO/IEC 14496-12, 4.2.2).
    ///
    /// - Parameter latest: the latest version whose fields we know.
    package mutating func fullBoxHeader(latest: UInt8 = 0) throws(ParseError) -> (version: UInt8, flags: UInt32) {
        let field = try integer(UInt32.self)
        let version = UInt8(field >> 24)
        guard version <= latest else {
            throw error(.unsupported, expected: "version \(latest) or earlier, found \(version)")
        }
        return (version, field & 0xFF_FFFF)
    }

    /// An integer of 64 bits in version 1 of a box and of 32 bits before.
    package mutating func versioned(_ version: UInt8) throws(ParseError) -> UInt64 {
        version == 0 ? UInt64(try integer(UInt32.self)) : try integer(UInt64.self)
    }

    /// A duration of 64 bits in version 1 of a box and of 32 bits before; nil where all bits say "unknown".
    package mutating func versionedDuration(_ version: UInt8) throws(ParseError) -> UInt64? {
        let duration = try versioned(version)
        return duration == (version == 0 ? UInt64(UInt32.max) : .max) ? nil : duration
    }

    /// A table that begins with its 32-bit count.
    package mutating func countedTable<Entry>(
        entrySize: Int, _ read: (inout ByteReader) throws(ParseError) -> Entry
    ) throws(ParseError) -> [Entry] {
        let count = try integer(UInt32.self)
        return try table(count: Int(count), entrySize: entrySize, read)
    }
}

extension ByteWriter {
    package mutating func box(_ box: some Box) {
        self.box(box.type) { box.write(to: &$0) }
    }

    package mutating func box(_ box: (some Box)?) {
        if let box { self.box(box) }
    }

    package mutating func boxes(_ boxes: [some Box]) {
        for box in boxes { self.box(box) }
    }

    package mutating func boxes(_ boxes: [OpaqueBox]) {
        for box in boxes { box.write(to: &self) }
    }

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
