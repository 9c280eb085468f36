package import Bytes
import CNettle
import LivePhotoKit
package import MediaModel
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        return sha256(bytes)
    }

    /// SHA-256 of a text in UTF-8, in hexadecimal.
    package static func sha256(_ text: String) -> String { sha256(Array(text.utf8)) }

    private static func sha256(_ bytes: [UInt8]) -> String {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        nettle_sha256_update(&context, bytes.count, bytes)
        return hexadecimal(finish(&context))
    }

    fileprivate static func sha1(_ bytes: [UInt8]) -> [UInt8] {
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

extension JobRecord.Input {
    /// Reads a file, unless `known` shows that it has not changed.
    ///
    /// - Throws: `LivePhotoError`
    init(_ path: FilePath, known: JobRecord.Input?) throws(LivePhotoError) {
        do {
            let file = try InputFile(path)
            let modified = try FileTimes(of: path).modification.nanosecondsSince1970
            if let known, (known.path, known.bytes, known.modified) == (path.string, file.size, modified) {
                self = known
            } else {
                self.init(
                    path: path.string, bytes: file.size, modified: modified, sha256: try Digest.sha256(file))
            }
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }
}

extension ContentIdentifier {
    /// A content identifier computed from the contents of a photo and a movie, so that copies of a pair get the same one.
    ///
    /// - Throws: `LivePhotoError` for a file that cannot be read.
    package init(
        ofPhoto photo: FilePath, movie: FilePath, _ extent: FolderLinker.Extent
    ) throws(LivePhotoError) {
        func digest(_ path: FilePath) throws(LivePhotoError) -> String {
            do {
                let file = try InputFile(path)
                return try extent == .whole ? Digest.sha256(file) : Digest.sha256(samplesOf: file)
            } catch {
                throw LivePhotoError(reading: path, error)
            }
        }
        self = Self(derivedFrom: "link \(extent) \(try digest(photo)) \(try digest(movie))") ?? Self()
    }

    /// A content identifier computed from a job's key: a UUID of version 5 (RFC 9562, section 5.5).
    package init?(derivedFrom key: String) {
        // The namespace of this program, generated at random.
        guard let namespace = UUID(uuidString: "6F3C2D1E-58A4-4C7B-9E21-0B7D5A8E4F13") else { return nil }
        var bytes = Array(Digest.sha1(withUnsafeBytes(of: namespace.uuid) { Array($0) } + Array(key.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hexadecimal(bytes[$0]) }
        self.init(groups.joined(separator: "-"))
    }
}
