package import Bytes
package import FFmpegKit
import LivePhotoKit
import MediaModel
import SystemPackage

/// Reads lookup tables: the format `.cube` of Adobe and Iridas (Cube LUT Specification 1.0), and the ranges that DaVinci
/// Resolve writes.
package struct CubeFile {
    /// The largest tables that are read. Grading programs write 17, 33 or 65 values.
    package static let cubeLimit = 129
    package static let curveLimit = 65_536
    /// Bytes of a file: enough for the largest table.
    private static let sizeLimit = 128 << 20
    /// Values of a table; those of displays are from 0 to 1.
    private static let valueLimit = 1_000.0

    private let path: FilePath
    private var scanner: CubeScanner
    private var kind: (isCube: Bool, size: Int)?
    private var minimum = SIMD3(repeating: 0.0)
    private var maximum = SIMD3(repeating: 1.0)
    private var entries: [SIMD3<Float>] = []

    /// - Throws: `LivePhotoError` that names the line of the file.
    package static func table(in file: InputFile) throws(LivePhotoError) -> ColorTable {
        let bytes: [UInt8]
        do {
            bytes = try file.contents(limit: sizeLimit)
        } catch Errno.fileTooLarge {
            throw LivePhotoError(
                .unusableMedia, file.path, "is too large for a LUT (more than \(sizeLimit >> 20) MB)")
        } catch {
            throw LivePhotoError(reading: file.path, error)
        }
        var reader = CubeFile(path: file.path, scanner: CubeScanner(bytes))
        return try reader.read()
    }

    private init(path: FilePath, scanner: CubeScanner) {
        (self.path, self.scanner) = (path, scanner)
    }

    private mutating func read() throws(LivePhotoError) -> ColorTable {
        while let start = scanner.nextLine() {
            if start.isLetter { try readKeyword() } else { try readEntry() }
        }
        guard let kind else { throw error("has no LUT_3D_SIZE or LUT_1D_SIZE; it is not a .cube file") }
        let count = kind.isCube ? kind.size * kind.size * kind.size : kind.size
        guard entries.count == count else {
            throw error("ends after \(entries.count) of \(count) entries; get the whole file")
        }
        guard (0..<3).allSatisfy({ maximum[$0] - minimum[$0] >= 1e-4 }) else {
            throw error("has a range of colours that is empty; its DOMAIN_MAX must be above DOMAIN_MIN")
        }
        let domain = (minimum, maximum)
        return kind.isCube
            ? ColorTable(cube: entries, size: kind.size, domain: domain) : ColorTable(curves: entries, domain: domain)
    }

    private mutating func readKeyword() throws(LivePhotoError) {
        let word = scanner.word()
        switch word {
        case "TITLE": scanner.skipLine()
        case "LUT_3D_SIZE": try readSize(isCube: true, 2...Self.cubeLimit, word)
        case "LUT_1D_SIZE": try readSize(isCube: false, 2...Self.curveLimit, word)
        case "DOMAIN_MIN": minimum = try numbers(3, of: word)
        case "DOMAIN_MAX": maximum = try numbers(3, of: word)
        case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
            let range = try numbers(2, of: word)
            (minimum, maximum) = (SIMD3(repeating: range.x), SIMD3(repeating: range.y))
        default:
            throw error("has \(quoted(word)), which is not supported; save the LUT with another program")
        }
    }

    private mutating func readSize(isCube: Bool, _ allowed: ClosedRange<Int>, _ word: String) throws(LivePhotoError) {
        guard kind == nil else {
            throw error("has a second table; save the LUT as a single table with three dimensions")
        }
        guard let number = scanner.number(), scanner.isAtLineEnd, let size = Int(exactly: number),
            allowed.contains(size)
        else {
            throw error("has no usable \(word); it must be from \(allowed.lowerBound) to \(allowed.upperBound)")
        }
        kind = (isCube, size)
        // A claimed size allocates no more than its file has bytes for: five for each entry.
        entries.reserveCapacity(min(isCube ? size * size * size : size, scanner.count / 5))
    }

    private mutating func readEntry() throws(LivePhotoError) {
        guard let kind else { throw error("has values before LUT_3D_SIZE or LUT_1D_SIZE; it is not a .cube file") }
        guard entries.count < (kind.isCube ? kind.size * kind.size * kind.size : kind.size) else {
            throw error("has more entries than its size, \(kind.size), says")
        }
        let entry = try numbers(3, of: "an entry")
        entries.append(SIMD3(Float(entry.x), Float(entry.y), Float(entry.z)))
    }

    /// The numbers in the rest of the line, which must be `count`.
    private mutating func numbers(_ count: Int, of word: String) throws(LivePhotoError) -> SIMD3<Double> {
        var numbers = SIMD3(repeating: 0.0)
        for index in 0..<count {
            guard let number = scanner.number() else { throw error("needs \(count) numbers for \(word) here") }
            guard abs(number) <= Self.valueLimit else {
                throw error("has a number outside of -\(Int(Self.valueLimit)) to \(Int(Self.valueLimit)) here")
            }
            numbers[index] = number
        }
        guard scanner.isAtLineEnd else { throw error("has more than \(count) numbers for \(word) here") }
        return numbers
    }

    private func error(_ reason: String) -> LivePhotoError {
        LivePhotoError(
            .unusableMedia, path, at: LivePhotoError.Place(line: max(scanner.line, 1), column: scanner.column), reason)
    }
}

/// The lines, words and numbers of a text. A `#` begins a comment.
private struct CubeScanner {
    private let bytes: [UInt8]
    private var position: Int
    private var lineStart = 0
    private var tokenStart = 0
    /// Counted from 1.
    private(set) var line = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Bytes of the text.
    var count: Int { bytes.count }
    /// Where the last word or number begins, counted from 1.
    var column: Int { max(tokenStart, lineStart) - lineStart + 1 }

    /// Goes to the next line with content, and returns its first byte; nil at the end.
    mutating func nextLine() -> UInt8? {
        if line == 0 { line = 1 } else { skipLine() }
        while position < bytes.count {
            if !isAtLineEnd { return bytes[position] }
            skipLine()
            guard position < bytes.count else { return nil }
            position += 1
            (lineStart, line) = (position, line + 1)
        }
        return nil
    }

    /// Goes to the end of the line.
    mutating func skipLine() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    }

    /// Whether only space and a comment follow in this line. Skips the space.
    var isAtLineEnd: Bool {
        mutating get {
            skipSpace()
            return position == bytes.count || bytes[position] == UInt8(ascii: "\n")
                || bytes[position] == UInt8(ascii: "#")
        }
    }

    mutating func word() -> String {
        let start = position
        tokenStart = start
        while position < bytes.count, bytes[position] > 0x20 { position += 1 }
        return FileText(bytes[start..<position]).string(limit: 64)
    }

    /// The next number in this line, as `-1.5e-3`; nil for anything else.
    mutating func number() -> Double? {
        skipSpace()
        tokenStart = position
        var place = position
        func digit() -> UInt8? {
            guard place < bytes.count, (0x30...0x39).contains(bytes[place]) else { return nil }
            return bytes[place] - 0x30
        }
        func accept(_ letters: StaticString) -> Bool {
            guard place < bytes.count else { return false }
            return letters.withUTF8Buffer { $0.contains(bytes[place]) }
        }
        let isNegative = accept("-")
        if accept("+-") { place += 1 }
        var (value, digits, exponent) = (0.0, 0, 0)
        while let next = digit() {
            value = value * 10 + Double(next)
            (digits, place) = (digits + 1, place + 1)
        }
        if accept(".") {
            place += 1
            while let next = digit() {
                // Further digits do not change a number of single precision.
                if exponent > -18 { (value, exponent) = (value * 10 + Double(next), exponent - 1) }
                (digits, place) = (digits + 1, place + 1)
            }
        }
        guard digits > 0 else { return nil }
        if accept("eE") {
            place += 1
            let isSmall = accept("-")
            if accept("+-") { place += 1 }
            var (power, count) = (0, 0)
            while let next = digit() {
                power = min(power * 10 + Int(next), 400)
                (count, place) = (count + 1, place + 1)
            }
            guard count > 0 else { return nil }
            exponent += isSmall ? -power : power
        }
        guard place == bytes.count || bytes[place] <= 0x20 || bytes[place] == UInt8(ascii: "#") else { return nil }
        position = place
        let power = Self.powers[min(abs(exponent), Self.powers.count - 1)]
        let number = exponent < 0 ? value / power : value * power
        return isNegative ? -number : number
    }

    /// The powers of ten that a double can hold.
    private static let powers = (0...308).map { exponent in (0..<exponent).reduce(1.0) { power, _ in power * 10 } }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 || bytes[position] == 0x0D {
            position += 1
        }
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter.
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
}
