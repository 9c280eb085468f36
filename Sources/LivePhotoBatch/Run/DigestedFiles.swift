import Bytes
import Digests
import LivePhotoKit
package import MediaModel
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
