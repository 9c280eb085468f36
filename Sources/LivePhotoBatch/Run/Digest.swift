import Bytes
import Crypto
import LivePhotoKit
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// SHA-256 of files and texts, in hexadecimal.
enum Digest {
    /// - Throws: `Errno`.
    static func sha256(_ file: InputFile) throws -> String {
        var hash = SHA256()
        var offset = 0
        while true {
            let bytes = try file.bytes(at: offset, count: 1 << 20)
            if bytes.isEmpty { break }
            hash.update(data: bytes)
            offset += bytes.count
        }
        return hexadecimal(hash.finalize())
    }

    static func sha256(_ text: String) -> String {
        hexadecimal(SHA256.hash(data: Array(text.utf8)))
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
    /// A content identifier computed from a job's key: a UUID of version 5 (RFC 9562, section 5.5).
    init?(derivedFrom key: String) {
        // The namespace of this program, generated at random.
        guard let namespace = UUID(uuidString: "6F3C2D1E-58A4-4C7B-9E21-0B7D5A8E4F13") else { return nil }
        var hash = Insecure.SHA1()
        withUnsafeBytes(of: namespace.uuid) { hash.update(bufferPointer: $0) }
        hash.update(data: Array(key.utf8))
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hexadecimal(bytes[$0]) }
        self.init(groups.joined(separator: "-"))
    }
}
