import Bytes

/// What a worker gives for a piece of work, as an input: a byte for the work, the size of the answer in 16 bits and the answer,
/// the size of the first file in 24 bits, and the two files.
struct AnswerInput {
    var work: UInt8
    /// A line of JSON.
    var answer: [UInt8]
    /// What is written to the first two outputs.
    var files: [[UInt8]]

    init(work: UInt8, answer: [UInt8], files: [[UInt8]]) {
        (self.work, self.answer, self.files) = (work, answer, files)
    }

    init?(_ bytes: [UInt8]) {
        guard let work = bytes.first, bytes.count >= 6 else { return nil }
        var rest = bytes.dropFirst()
        func part(sizeOf digits: Int) -> [UInt8] {
            let size = rest.prefix(digits).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(digits)
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        self.init(work: work, answer: part(sizeOf: 2), files: [part(sizeOf: 3)])
        files.append(Array(rest))
    }

    /// The answer is cut to what its size can say.
    var bytes: [UInt8] {
        let line = answer.prefix(0xFFFF)
        let (first, second) = (files.first ?? [], files.dropFirst().first ?? [])
        return [work, UInt8(line.count >> 8), UInt8(line.count & 0xFF)] + line
            + [16, 8, 0].map { UInt8(truncatingIfNeeded: first.count >> $0) } + first + second
    }
}

/// Changes a value of the answer, a file, or the bytes of the answer. Nil for what is no such input.
func answerChanged(_ input: [UInt8], _ random: inout FuzzRandom) -> [UInt8]? {
    guard var parts = AnswerInput(input) else { return nil }
    switch random.next(below: 8) {
    case 0: parts.answer = changed(parts.answer)
    case 1, 2:
        let index = random.next(below: parts.files.count)
        let file = parts.files[index]
        parts.files[index] = structurallyChanged(file, .jpeg, &random) ?? changed(file)
    default:
        for _ in 0...random.next(below: 3) { changeValue(&parts.answer, &random) }
    }
    return parts.bytes
}

/// Replaces a number, a text or a word of JSON by another one, also by one of the same answer.
private func changeValue(_ answer: inout [UInt8], _ random: inout FuzzRandom) {
    var places: [Range<Int>] = []
    var start: Int?
    var (isText, isEscaped) = (false, false)
    for (index, byte) in answer.enumerated() {
        if isText {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                places.append((start ?? index)..<index + 1)
                (start, isText) = (nil, false)
            }
        } else if "{}[]:,\"".utf8.contains(byte) {
            if let start { places.append(start..<index) }
            isText = byte == UInt8(ascii: "\"")
            start = isText ? index : nil
        } else if start == nil {
            start = index
        }
    }
    guard let place = random.element(of: places), let other = random.element(of: places) else { return }
    let value =
        switch random.next(below: 4) {
        case 0: Array(answer[other])
        case 1: changed(Array(answer[place]))
        default: Array((random.element(of: otherValues) ?? "0").utf8)
        }
    answer.replaceSubrange(place, with: value)
}

private let otherValues = [
    "0", "-1", "1", "2", "600", "65536", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1e308",
    "1e-320", "0.5", "null", "true", "false", "{}", "[]", "\"\"", "\"\\u001b[2J\\u0000\"", "\"/etc/passwd\"", "\"0.5\"",
    "\"NaN\"",
]
