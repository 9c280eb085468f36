import Bytes
import SystemPackage

/// The contents of a journal or report: one record per line.
struct RecordFile {
    /// The last record of each job, in the order of their first records.
    private(set) var records: [JobRecord] = []
    /// All pairs started for each job, also those of superseded records.
    private(set) var started: [String: Set<StartedPair>] = [:]
    /// Number of complete lines that are not records.
    private(set) var invalidLines = 0
    /// Offset of the end of the last complete line.
    private(set) var end = 0
    /// The bytes after it.
    private(set) var unfinished: [UInt8] = []
    private var indexOfID: [String: Int] = [:]

    /// Maximum length in bytes. Records have a few thousand.
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
                if !add(unfinished), !unfinished.isEmpty { invalidLines += 1 }
                unfinished.removeAll(keepingCapacity: true)
                rest = rest[(index + 1)...]
                end = offset + index + 1
            }
            // A line that is too long is cut, which makes it invalid.
            if unfinished.count < Self.lineLimit { unfinished += rest }
            offset += bytes.count
        }
    }

    /// Adds a line.
    ///
    /// - Returns: whether the line is a record.
    mutating func add(_ line: [UInt8]) -> Bool {
        guard let record = try? JSON.decode(JobRecord.self, from: line) else { return false }
        if let pair = StartedPair(record) { started[record.id, default: []].insert(pair) }
        if let index = indexOfID[record.id] {
            records[index] = record
        } else {
            indexOfID[record.id] = records.count
            records.append(record)
        }
        return true
    }
}
