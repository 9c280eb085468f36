import Digests
import MediaModel

/// SHA-256 of a file. As a number, because a library has one for each of its files.
struct ContentDigest: Sendable, Hashable {
    private let first, second, third, fourth: UInt64

    /// - Returns: Nil for a text that is not 64 hexadecimal digits in lower case.
    init?(hexadecimal text: String) {
        var words: [UInt64] = [0, 0, 0, 0]
        var count = 0
        for byte in text.utf8 {
            guard count < 64, !(UInt8(ascii: "A")...UInt8(ascii: "F") ~= byte), let digit = hexadecimalDigit(byte)
            else {
                return nil
            }
            words[count / 16] = words[count / 16] << 4 | UInt64(digit)
            count += 1
        }
        guard count == 64 else { return nil }
        (first, second, third, fourth) = (words[0], words[1], words[2], words[3])
    }

    /// A part of it, by which few others are the same.
    var head: UInt64 { first }
}

extension ContentDigest: CustomStringConvertible {
    /// In hexadecimal.
    var description: String {
        [first, second, third, fourth].map { padded($0, 16, radix: 16) }.joined()
    }
}

extension ContentDigest: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = Self(hexadecimal: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no SHA-256")
        }
        self = digest
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
