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

    /// The maximum length of a line in bytes. Records have a few thousand.
    private static let lineLimit = 1 << 20
    /// The maximum number of jobs, and of pairs started for one of them: more than a batch has.
    private static let recordLimit = 1 << 20
    private static let startedLimit = 1 << 10
    /// The maximum size of the file, which has some lines for each job.
    private static let sizeLimit = 1 << 32

    /// - Throws: `Errno`: `.fileTooLarge` for more than any batch writes.
    init(_ file: InputFile) throws {
        guard file.size <= Self.sizeLimit else { throw Errno.fileTooLarge }
        let newline = UInt8(ascii: "\n")
        var offset = 0
        while true {
            let bytes = try file.bytes(at: offset, count: 1 << 20)
            if bytes.isEmpty { break }
            var start = 0
            for index in bytes.indices where bytes[index] == newline {
                if start < index || !unfinished.isEmpty { try endLine(bytes[start..<index]) }
                start = index + 1
            }
            if start > 0 { end = offset + start }
            append(bytes[start...])
            offset += bytes.count
        }
    }

    private mutating func endLine(_ bytes: ArraySlice<UInt8>) throws(Errno) {
        append(bytes)
        if !add(unfinished) { invalidLines += 1 }
        unfinished.removeAll(keepingCapacity: true)
        guard records.count <= Self.recordLimit else { throw .fileTooLarge }
    }

    /// A line that is too long is cut, which makes it invalid.
    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        unfinished += bytes.prefix(Self.lineLimit - unfinished.count)
    }

    /// Adds a line.
    ///
    /// - Returns: whether the line is a record.
    mutating func add(_ line: [UInt8]) -> Bool {
        guard let record = try? JSON.decode(JobRecord.self, from: line) else { return false }
        if let pair = StartedPair(record), started[record.id, default: []].count < Self.startedLimit {
            started[record.id, default: []].insert(pair)
        }
        if let index = indexOfID[record.id] {
            records[index] = record
        } else {
            indexOfID[record.id] = records.count
            records.append(record)
        }
        return true
    }
}
