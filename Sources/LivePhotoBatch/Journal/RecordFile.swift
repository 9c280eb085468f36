import Bytes
import SystemPackage

/// What a journal or a report holds: records, one on a line.
struct RecordFile {
    /// The last record of each job, in the order of their first records.
    private(set) var records: [JobRecord] = []
    /// All that was begun for each job, also if a later record replaces it.
    private(set) var begun: [String: Set<BegunPair>] = [:]
    /// Finished lines that are no record.
    private(set) var spoiltLines = 0
    /// Where the last finished line ends.
    private(set) var end = 0
    /// What follows it.
    private(set) var unfinished: [UInt8] = []
    private var indexOfID: [String: Int] = [:]

    /// Records take some thousand bytes.
    private static let lineLimit = 1 << 24

    /// - Throws: `Errno`.
    init(_ path: FilePath) throws {
        let file = try InputFile(path)
        let newline = UInt8(ascii: "\n")
        var offset = 0
        while true {
            let bytes = try file.bytes(at: offset, count: 1 << 20)
            if bytes.isEmpty { break }
            var rest = bytes[...]
            while let index = rest.firstIndex(of: newline) {
                unfinished += rest[..<index]
                if !take(unfinished), !unfinished.isEmpty { spoiltLines += 1 }
                unfinished.removeAll(keepingCapacity: true)
                rest = rest[(index + 1)...]
                end = offset + index + 1
            }
            // The rest of a line that is too long makes none either.
            if unfinished.count < Self.lineLimit { unfinished += rest }
            offset += bytes.count
        }
    }

    /// Takes a line.
    ///
    /// - Returns: whether it is a record.
    mutating func take(_ line: [UInt8]) -> Bool {
        guard let record = try? JSONLine.decode(JobRecord.self, from: line) else { return false }
        if let pair = BegunPair(record) { begun[record.id, default: []].insert(pair) }
        if let index = indexOfID[record.id] {
            records[index] = record
        } else {
            indexOfID[record.id] = records.count
            records.append(record)
        }
        return true
    }
}
