import Bytes
import Digests
import LivePhotoKit
import SystemPackage

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
