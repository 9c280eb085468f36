import Digests
import LivePhotoKit
import Synchronization
import WebServer

/// Checksums of files, each computed when it is needed first.
final class Checksums: Sendable {
    private let known = Mutex([KnownFile: UInt32]())

    /// Reads one file at a time, so that many requests for one file read it once.
    ///
    /// - Throws: `Errno`; `FileChanged`.
    func checksum(of content: PairArchive.Content) throws -> UInt32 {
        guard case .file(let file) = content else { return try content.checksum() }
        return try known.withLock { known in
            if let value = known[file] { return value }
            let value = try content.checksum()
            known[file] = value
            return value
        }
    }
}

/// A ZIP archive that exists only while it is sent.
struct SharedArchive: Sendable {
    let body: ResponseBody
    /// Changes with the files.
    let entityTag: String

    init(_ archive: PairArchive, _ checksums: Checksums) {
        let layout = archive.layout
        var body = ResponseBody()
        var tag = ""
        for (index, content) in archive.contents.enumerated() {
            let (start, end) = (layout.place(of: index).lowerBound, layout.place(of: index).upperBound)
            // A file is read for its checksum before its header is sent, and then again to send it.
            body.append(count: start - body.count) {
                layout.header(of: index, checksum: try checksums.checksum(of: content))
            }
            switch content {
            case .bytes(let bytes): body.append(bytes)
            case .file(let file):
                body.append(0..<file.size) { try file.open() }
                tag += file.version + " "
            }
            assert(body.count == end)
        }
        let contents = archive.contents
        body.append(count: layout.endSize) {
            layout.end(checksums: try contents.map { try checksums.checksum(of: $0) })
        }
        self.body = body
        entityTag = String(Digest.sha256(tag).prefix(32))
    }
}
