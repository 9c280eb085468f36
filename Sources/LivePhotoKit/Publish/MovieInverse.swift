package import Bytes
import FoundationEssentials
package import SystemPackage

/// How a movie that was changed in place becomes the old one again: the few bytes that were overwritten, and where what
/// was appended begins.
package struct MovieInverse: Codable, Sendable, Hashable {
    package struct Region: Codable, Sendable, Hashable {
        let offset: Int
        let old: Data
        let new: Data
    }

    /// What stands behind the old movie once all is written, of which a run that was broken off leaves a part.
    package struct Appended: Codable, Sendable, Hashable {
        let size: Int
        /// The header that comes first and covers all of it, until the last writes open it.
        let firstHeader: Data
        let checksum: UInt32
    }

    package enum State {
        case old, between, new
        /// Something else has changed it since.
        case changed
    }

    let oldSize: Int
    /// Where the new bytes begin: the old size, less what an earlier run left unfinished.
    let end: Int
    /// What stood between `end` and the old size.
    let tail: Data
    /// Below `end`, in the order of writing.
    let regions: [Region]
    let appended: Appended?

    private static let headerSize = 8

    /// - Throws: `Errno` of pread(2).
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
                let place = offset - end
                firstHeader = firstHeader ?? Data(bytes.prefix(Self.headerSize))
                if appended.count < place + bytes.count {
                    appended += Array(repeating: 0, count: place + bytes.count - appended.count)
                }
                appended.replaceSubrange(place..<place + bytes.count, with: bytes)
            case .synchronize: break
            }
        }
        oldSize = file.size
        self.end = end
        tail = Data(try file.bytes(at: end, count: file.size - end))
        self.regions = regions
        self.appended = firstHeader.map {
            Appended(size: appended.count, firstHeader: $0, checksum: CRC32.of(appended))
        }
    }

    private enum CodingKeys: String, CodingKey {
        case oldSize, end, tail, regions, appended
    }

    /// What was noted is no better than the file that it is read from: only what a change can have come from is taken.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        oldSize = try values.decode(Int.self, forKey: .oldSize)
        end = try values.decode(Int.self, forKey: .end)
        tail = try values.decode(Data.self, forKey: .tail)
        regions = try values.decode([Region].self, forKey: .regions)
        appended = try values.decodeIfPresent(Appended.self, forKey: .appended)
        guard isRight else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no change of a movie"))
        }
    }

    /// Whether a change can have it as its inverse.
    private var isRight: Bool {
        guard 0 <= end, end <= oldSize, oldSize - end == tail.count else { return false }
        if let appended {
            guard (Self.headerSize...1 << 40).contains(appended.size), appended.firstHeader.count == Self.headerSize
            else { return false }
        }
        return regions.allSatisfy { region in
            !region.new.isEmpty && region.old.count == region.new.count && region.offset >= 0
                && region.offset <= end - region.new.count
        }
    }

    /// Whether the file is the old one, the new one, or what a run between the two left, also one of those that undo.
    ///
    /// - Throws: `Errno` of opening and reading.
    package func state(of movie: FilePath) throws -> State {
        let file = try InputFile(movie)
        var (isOld, isNew) = (true, true)
        for region in regions {
            let bytes = Data(try file.bytes(at: region.offset, count: region.new.count))
            // A write that was broken off leaves some of both.
            let isOurs = zip(bytes, zip(region.old, region.new)).allSatisfy { $0 == $1.0 || $0 == $1.1 }
            guard bytes.count == region.new.count, isOurs else { return .changed }
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
        // A power failure can leave zeros where the header was to be.
        if appended.firstHeader.starts(with: header) || count <= Self.headerSize && header.allSatisfy({ $0 == 0 }) {
            return .between
        }
        return count == appended.size && CRC32.of(bytes) == appended.checksum ? .new : .changed
    }

    /// Leads back from any state between the two. The old `moov` counts again from the first write on, so that the movie
    /// stays one if this is broken off.
    package var changes: [FileChange] {
        regions.reversed().map { .write(Array($0.old), at: $0.offset) }
            + [.synchronize, .truncate(to: end), .write(Array(tail), at: end), .synchronize]
    }
}
