import CNettle

/// A message authentication code, HMAC-SHA256 (RFC 2104): only who has the key can make it.
package struct MessageCode: Sendable {
    /// The size of a code, and of a good key, in bytes.
    package static let size = Int(SHA256_DIGEST_SIZE)

    private var context = hmac_sha256_ctx()

    package init(key: [UInt8]) {
        nettle_hmac_sha256_set_key(&context, key.count, key)
    }

    package mutating func update(_ bytes: [UInt8]) {
        nettle_hmac_sha256_update(&context, bytes.count, bytes)
    }

    /// The code of all bytes so far. More bytes then begin another message.
    package mutating func finish() -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Self.size)
        livephoto_hmac_sha256_digest(&context, &code)
        return code
    }

    /// Compares two codes in a time that does not depend on where they differ.
    package static func areEqual(_ code: [UInt8], _ other: [UInt8]) -> Bool {
        code.count == other.count && zip(code, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
