import Bytes
import SystemPackage

/// The contents of a journal or report: one record per line.
struct RecordFile {
    /// The last record of each job.
    private(set) var index = RecordIndex()
    /// Number of complete lines that are not records.
    private(set) var invalidLines = 0
    /// Offset of the end of the last complete line.
    private(set) var end = 0
    /// The bytes after it.
    private(set) var unfinished: [UInt8] = []

    /// The maximum length of a line in bytes. Records have a few thousand.
    private static let lineLimit = 1 << 20
    /// The maximum size of the file, which has some lines for each job.
    private static let sizeLimit = 1 << 36

    /// - Parameter onRecord: Called with all records, also with those that a later one of the same job supersedes.
    /// - Throws: `Errno`: `.fileTooLarge` for more than any batch writes.
    init(_ file: InputFile, onRecord: (JobRecord) -> Void = { _ in }) throws {
        guard file.size <= Self.sizeLimit else { throw Errno.fileTooLarge }
        let newline = UInt8(ascii: "\n")
        var offset = 0
        while true {
            let bytes = try file.bytes(at: offset, count: 1 << 20)
            if bytes.isEmpty { break }
            var start = 0
            for index in bytes.indices where bytes[index] == newline {
                if start < index || !unfinished.isEmpty { try endLine(bytes[start..<index], onRecord) }
                start = index + 1
                end = offset + start
            }
            append(bytes[start...])
            offset += bytes.count
        }
    }

    private mutating func endLine(_ bytes: ArraySlice<UInt8>, _ onRecord: (JobRecord) -> Void) throws(Errno) {
        append(bytes)
        if let record = try addUnfinished() { onRecord(record) } else { invalidLines += 1 }
        unfinished.removeAll(keepingCapacity: true)
    }

    /// A line that is too long is cut, which makes it invalid.
    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        unfinished += bytes.prefix(Self.lineLimit - unfinished.count)
    }

    /// Adds the last line, as if it had an end.
    ///
    /// - Returns: the record in it; nil if it is none.
    @discardableResult
    mutating func addUnfinished() throws(Errno) -> JobRecord? {
        guard let record = try? JSON.decode(JobRecord.self, from: unfinished) else { return nil }
        try index.add(record, at: end)
        return record
    }

    /// The record in the line at an offset; nil if it is none, or cannot be read.
    static func record(in file: InputFile, at offset: Int) -> JobRecord? {
        var count = 1 << 12
        while count <= lineLimit {
            guard let bytes = try? file.currentBytes(at: offset, count: count) else { return nil }
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
            if end != nil || bytes.count < count || count == lineLimit {
                return try? JSON.decode(JobRecord.self, from: bytes[..<(end ?? bytes.count)])
            }
            count *= 16
        }
        return nil
    }
}
