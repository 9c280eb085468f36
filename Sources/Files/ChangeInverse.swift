package import Bytes
import FoundationEssentials
import SystemPackage

/// How to undo a change of a file in place: the bytes that were overwritten, and where appended bytes begin.
package struct ChangeInverse: Codable, Sendable {
    private struct Region: Codable {
        let offset: Int
        let old: Data
        let new: Data
    }

    /// The bytes after the end of the old movie. An interrupted run leaves a part of them.
    private struct Appended: Codable {
        let size: Int
        /// The header of the `free` box that contains all of them until the last writes activate the new `moov`.
        let firstHeader: Data
        let checksum: UInt32
    }

    package enum State {
        case old, between, new
        /// Something else has changed the file since.
        case changed
    }

    private let oldSize: Int
    /// Where the new bytes begin: the old size without what an earlier run left unfinished.
    private let end: Int
    /// The old bytes between `end` and the old size.
    private let tail: Data
    /// Overwritten bytes before `end`, in the order of writing.
    private let regions: [Region]
    private let appended: Appended?

    private static let headerSize = 8
    /// The maximum size of `tail`: more than the description of any movie that a camera makes.
    static let tailLimit = 64 << 20

    /// - Throws: `Errno` of pread(2); `.fileTooLarge` for a movie with too large an unfinished end.
    package init(of changes: [FileChange], in file: InputFile) throws {
        var end = file.size
        var regions: [Region] = []
        var appended: [UInt8] = []
        var firstHeader: Data?
        for change in changes {
            switch change {
            case .truncate(let size): end = min(end, size)
            case .write(let bytes, let offset) where offset < end:
                let old = try file.bytes(at: offset, count: bytes.count)
                regions.append(Region(offset: offset, old: Data(old), new: Data(bytes)))
            case .write(let bytes, let offset):
                let range = offset - end..<offset - end + bytes.count
                firstHeader = firstHeader ?? Data(bytes.prefix(Self.headerSize))
                appended += Array(repeating: 0, count: max(range.upperBound - appended.count, 0))
                appended.replaceSubrange(range, with: bytes)
            case .synchronize: break
            }
        }
        // Otherwise a movie could end with a box of any size that looks unfinished, which the record would contain.
        guard file.size - end <= Self.tailLimit else { throw Errno.fileTooLarge }
        oldSize = file.size
        self.end = end
        tail = Data(try file.bytes(at: end, count: file.size - end))
        self.regions = regions
        self.appended = firstHeader.map {
            Appended(size: appended.count, firstHeader: $0, checksum: CRC32.of(appended))
        }
    }

    /// The record may come from anywhere, so impossible values are rejected.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        oldSize = try values.decode(Int.self, forKey: .oldSize)
        end = try values.decode(Int.self, forKey: .end)
        tail = try values.decode(Data.self, forKey: .tail)
        regions = try values.decode([Region].self, forKey: .regions)
        appended = try values.decodeIfPresent(Appended.self, forKey: .appended)
        guard isPossible else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not the inverse of a change of a movie"))
        }
    }

    private var isPossible: Bool {
        guard 0 <= end, end <= oldSize, oldSize <= RecordNumber.limit, oldSize - end == tail.count else { return false }
        if let appended {
            guard (Self.headerSize...1 << 40).contains(appended.size), appended.firstHeader.count == Self.headerSize
            else { return false }
        }
        return regions.allSatisfy { region in
            !region.new.isEmpty && region.old.count == region.new.count && region.offset >= 0
                && region.offset <= end - region.new.count
        }
    }

    /// Whether the movie is the old one, the new one, or was left in between by an interrupted change or undo.
    ///
    /// - Throws: `Errno` of pread(2).
    package func state(of file: InputFile) throws -> State {
        var (isOld, isNew) = (true, true)
        for region in regions {
            let bytes = Data(try file.bytes(at: region.offset, count: region.new.count))
            // An interrupted write leaves old and new bytes.
            let isOldOrNew = zip(bytes, zip(region.old, region.new)).allSatisfy { $0 == $1.0 || $0 == $1.1 }
            guard bytes.count == region.new.count, isOldOrNew else { return .changed }
            isOld = isOld && bytes == region.old
            isNew = isNew && bytes == region.new
        }
        switch try stateOfEnd(of: file) {
        case .changed: return .changed
        case .old where isOld: return .old
        case .new where isNew: return .new
        case .old, .new, .between: return .between
        }
    }

    private func stateOfEnd(of file: InputFile) throws -> State {
        let count = file.size - end
        guard count >= 0, count <= max(tail.count, appended?.size ?? 0) else { return .changed }
        let bytes = try file.bytes(at: end, count: count)
        if count <= tail.count, tail.starts(with: bytes) { return count == tail.count ? .old : .between }
        guard let appended else { return .changed }
        let header = bytes.prefix(Self.headerSize)
        // A power failure can leave zeros in place of the header.
        if appended.firstHeader.starts(with: header) || count <= Self.headerSize && header.allSatisfy({ $0 == 0 }) {
            return .between
        }
        return count == appended.size && CRC32.of(bytes) == appended.checksum ? .new : .changed
    }

    /// Releases the space that was reserved after an old movie. This works where nothing can be written any more.
    var release: [FileChange] { [.truncate(to: oldSize)] }

    /// Restores the old movie from any state in between. The first write activates the old `moov`, so the movie is valid
    /// even if this is interrupted.
    package var changes: [FileChange] {
        regions.reversed().map { .write(Array($0.old), at: $0.offset) }
            + [.synchronize, .truncate(to: end), .write(Array(tail), at: end), .synchronize]
    }
}
