import Bytes

/// Unpacks deflated data (RFC 1951) of a file, in memory that does not grow with them.
struct Inflater {
    private let file: InputFile
    /// What is not read yet.
    private var rest: Range<Int>
    private var buffer: [UInt8] = []
    private var position = 0
    /// Bits that are read and not used yet, the next one lowest.
    private var bits: UInt32 = 0
    private var bitCount = 0

    /// What is unpacked and not given away, and before it what distances may still reach back to.
    private var output: [UInt8] = []
    private var given = 0
    /// Bytes that may still come.
    private var allowed: Int

    private static let window = 1 << 15
    private static let step = 1 << 17

    /// - Parameters:
    ///   - range: where in the file the data stand.
    ///   - limit: how many bytes there may be, unpacked.
    init(_ range: Range<Int>, of file: InputFile, limit: Int) {
        (rest, self.file, allowed) = (range, file, limit)
    }

    /// Gives all bytes in order, some at a time.
    ///
    /// - Throws: `ParseError` for damaged data; `Errno` of pread(2); what `body` throws.
    mutating func forEach(_ body: ([UInt8]) throws -> Void) throws {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try copyStored(body)
            case 1: try unpack(Self.fixedLengths, Self.fixedDistances, body)
            case 2:
                let (lengths, distances) = try codes()
                try unpack(lengths, distances, body)
            default: throw error("a block of one of the three types")
            }
        }
        try body(Array(output[given...]))
    }

    // MARK: Blocks

    private mutating func copyStored(_ body: ([UInt8]) throws -> Void) throws {
        _ = try take(bitCount & 7)
        let count = try take(16)
        guard try take(16) == ~count & 0xFFFF else { throw error("a length that is written twice") }
        for _ in 0..<count { try append(UInt8(try take(8)), body) }
    }

    /// RFC 1951, 3.2.5.
    private mutating func unpack(
        _ lengths: PrefixCode, _ distances: PrefixCode, _ body: ([UInt8]) throws -> Void
    ) throws {
        while true {
            let symbol = try symbol(of: lengths)
            if symbol == 256 { return }
            guard symbol > 256 else {
                try append(UInt8(symbol), body)
                continue
            }
            guard symbol < 257 + Self.lengthBases.count else { throw error("a length") }
            let length = Self.lengthBases[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
            let index = try self.symbol(of: distances)
            guard index < Self.distanceBases.count else { throw error("a distance") }
            let distance = Self.distanceBases[index] + (try take(index < 4 ? 0 : index / 2 - 1))
            guard distance <= output.count else { throw error("a distance to what came before") }
            for _ in 0..<length { try append(output[output.count - distance], body) }
        }
    }

    /// The two codes of a block that brings its own (RFC 1951, 3.2.7).
    private mutating func codes() throws -> (lengths: PrefixCode, distances: PrefixCode) {
        let counts = (try take(5) + 257, try take(5) + 1)
        let codeCount = try take(4) + 4
        var codeLengths = [Int](repeating: 0, count: 19)
        for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(codeCount) {
            codeLengths[place] = try take(3)
        }
        let code = try prefixCode(codeLengths)
        var lengths: [Int] = []
        while lengths.count < counts.0 + counts.1 {
            switch try symbol(of: code) {
            case 16:
                guard let last = lengths.last else { throw error("a length to repeat before this") }
                lengths += Array(repeating: last, count: try take(2) + 3)
            case 17: lengths += Array(repeating: 0, count: try take(3) + 3)
            case 18: lengths += Array(repeating: 0, count: try take(7) + 11)
            case let length: lengths.append(length)
            }
        }
        guard lengths.count == counts.0 + counts.1 else { throw error("as many lengths as the block says") }
        return (try prefixCode(Array(lengths[..<counts.0])), try prefixCode(Array(lengths[counts.0...])))
    }

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12_289, 16_385, 24_577,
    ]
    /// RFC 1951, 3.2.6.
    private static let fixedLengths = PrefixCode(
        lengths: Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
            + Array(repeating: 8, count: 8))
    private static let fixedDistances = PrefixCode(lengths: Array(repeating: 5, count: 30))

    // MARK: Bits and bytes

    private func prefixCode(_ lengths: [Int]) throws -> PrefixCode {
        let code = PrefixCode(lengths: lengths)
        guard !code.isOverfull else { throw error("codes of lengths that have room beside each other") }
        return code
    }

    private mutating func symbol(of code: PrefixCode) throws -> Int {
        var (word, first, index) = (0, 0, 0)
        for count in code.counts {
            word |= try take(1)
            if word - first < count { return code.symbols[index + word - first] }
            index += count
            first = (first + count) << 1
            word <<= 1
        }
        throw error("a code that stands for something")
    }

    /// The next `count` bits, at most 16.
    private mutating func take(_ count: Int) throws -> Int {
        while bitCount < count {
            if position == buffer.count {
                buffer = try file.bytes(at: rest.lowerBound, count: min(rest.count, Self.step))
                rest = rest.lowerBound + buffer.count..<rest.upperBound
                position = 0
                guard !buffer.isEmpty else { throw error("more data", .truncated) }
            }
            bits |= UInt32(buffer[position]) << UInt32(bitCount)
            position += 1
            bitCount += 8
        }
        defer {
            bits >>= UInt32(count)
            bitCount -= count
        }
        return Int(bits & (1 << UInt32(count) - 1))
    }

    private mutating func append(_ byte: UInt8, _ body: ([UInt8]) throws -> Void) throws {
        guard allowed > 0 else { throw error("no more data than the directory says", .overLimit) }
        allowed -= 1
        output.append(byte)
        if output.count >= Self.window + Self.step {
            try body(Array(output[given...]))
            output.removeFirst(output.count - Self.window)
            given = output.count
        }
    }

    private func error(_ expected: String, _ code: ParseError.Code = .invalidValue) -> ParseError {
        ParseError(code, in: "deflated data", at: rest.lowerBound - buffer.count + position, expected: expected)
    }
}

/// Codes by their lengths: of one length they are successive, in the order of what they stand for (RFC 1951, 3.2.2).
private struct PrefixCode: Sendable {
    /// How many codes there are of 1 to 15 bits.
    private(set) var counts = [Int](repeating: 0, count: 15)
    /// What they stand for, in the order of the codes.
    let symbols: [Int]

    /// - Parameter lengths: in bits, at most 15; 0 for what has no code.
    init(lengths: [Int]) {
        for length in lengths where length > 0 { counts[length - 1] += 1 }
        symbols = (1...15).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
    }

    /// Whether there are more codes than so many bits can tell apart.
    var isOverfull: Bool { counts.reduce(1) { ($0 < 0 ? $0 : 2 * $0 - $1) } < 0 }
}
