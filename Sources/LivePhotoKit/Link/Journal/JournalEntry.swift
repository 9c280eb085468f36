import Bytes
import StillImage
import SystemPackage

/// What has to be known to bring a pair back to what it was.
struct JournalEntry: Codable, Sendable {
    struct Digest: Codable, Sendable, Hashable {
        let size: Int
        let checksum: UInt32

        init(_ bytes: [UInt8]) {
            size = bytes.count
            checksum = CRC32.of(bytes)
        }
    }

    struct Times: Codable, Sendable {
        private let access: FileTimes.Time
        private let modification: FileTimes.Time

        init(_ times: FileTimes) {
            (access, modification) = (times.access, times.modification)
        }

        var times: FileTimes { FileTimes(access: access, modification: modification) }
    }

    struct Photo: Codable, Sendable {
        /// Below the journal's folder.
        let path: String
        let old: Digest
        let new: Digest
        let times: Times
    }

    struct Movie: Codable, Sendable {
        /// Below the journal's folder.
        let path: String
        let inverse: MovieInverse
        let times: Times
    }

    /// Counts up; the photo's original has it in its name.
    let number: Int
    let photo: Photo
    let movie: Movie
}

extension JournalEntry.Photo {
    /// - Parameter path: as it is opened here.
    func state(of path: FilePath) throws -> MovieInverse.State {
        let file = try InputFile(path)
        guard file.size == old.size || file.size == new.size else { return .changed }
        let digest = JournalEntry.Digest(try file.contents(limit: PhotoEditor.fileSizeLimit))
        return digest == old ? .old : digest == new ? .new : .changed
    }
}

/// One line of a journal: a pair that is about to be changed, or the number of one that has been.
struct JournalLine: Codable {
    var pair: JournalEntry?
    var done: Int?
}
