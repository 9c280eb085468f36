package import Bytes
import CNettle
import MediaModel

/// Hash functions of Nettle, which uses the processor's instructions for them.
package enum Digest {
    /// SHA-256 of a file, in hexadecimal.
    ///
    /// - Throws: `Errno`.
    package static func sha256(_ file: InputFile) throws -> String {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        var offset = 0
        while true {
            let bytes = try file.bytes(at: offset, count: 1 << 20)
            if bytes.isEmpty { break }
            nettle_sha256_update(&context, bytes.count, bytes)
            offset += bytes.count
        }
        return hexadecimal(finish(&context))
    }

    /// SHA-256 of a file's size and of parts that are spread over it, with its beginning and its end, in hexadecimal.
    ///
    /// - Throws: `Errno`.
    package static func sha256(samplesOf file: InputFile) throws -> String {
        let (count, size) = (8, 1 << 14)
        guard file.size > count * size else { return try sha256(file) }
        var bytes = Array("\(file.size) ".utf8)
        for index in 0..<(count - 1) {
            bytes += try file.bytes(at: (file.size - size) / (count - 1) * index, count: size)
        }
        bytes += try file.bytes(at: file.size - size, count: size)
        return hexadecimal(sha256(bytes))
    }

    /// SHA-256 of a text in UTF-8, in hexadecimal.
    package static func sha256(_ text: String) -> String { hexadecimal(sha256(Array(text.utf8))) }

    /// The 32 bytes of SHA-256.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        nettle_sha256_update(&context, bytes.count, bytes)
        return finish(&context)
    }

    /// The 20 bytes of SHA-1.
    package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        var context = sha1_ctx()
        nettle_sha1_init(&context)
        nettle_sha1_update(&context, bytes.count, bytes)
        var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_SIZE))
        livephoto_sha1_digest(&context, &digest)
        return digest
    }

    private static func finish(_ context: inout sha256_ctx) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        livephoto_sha256_digest(&context, &digest)
        return digest
    }
}
