import Digests
package import MediaModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ContentIdentifier {
    /// A content identifier computed from a text, such as a job's key: a UUID of version 5 (RFC 9562, section 5.5).
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
