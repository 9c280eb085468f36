package import Bytes
import Digests
import MediaModel
package import SystemPackage

/// Signs the lines by which changes are undone, so that a line is acted upon only where this user's program wrote it on
/// this machine: `["CODE",CONTENT]`, with HMAC-SHA256 in hexadecimal. The code covers what the line is for, the hidden
/// folder, the previous line's code and the content; so lines cannot be edited, left out, reordered, or used in another
/// folder. It does not show that the last lines are missing.
package struct RecordSeal: Sendable {
    package enum Purpose: String, Sendable {
        case journal = "livephoto undo journal 1\n"
        case change = "livephoto change record 2\n"
        case library = "livephoto import log 1\n"
    }

    /// A code, and what the first line follows.
    package typealias Code = [UInt8]
    package static let start = Code(repeating: 0, count: MessageCode.size)
    private static let beginning = Array("[\"".utf8)
    private static let separator = Array("\",".utf8)
    private static let ending = UInt8(ascii: "]")
    private static let newline = UInt8(ascii: "\n")
    private static let headSize = beginning.count + 2 * MessageCode.size + separator.count

    private let message: MessageCode

    /// The folder's inode number stands for the folder, where it lasts. Its device number does not: that of Btrfs, NFS and
    /// removable disks is another after each start. The key stands for the machine.
    ///
    /// - Throws: `Errno` of fstat(2).
    package init(_ purpose: Purpose, of folder: OpenFolder, key: RecordKey) throws(Errno) {
        let inode = folder.descriptor.isOnFileSystemWithOwners ? UInt64(try Stat(folder.descriptor).inode.rawValue) : 0
        var message = MessageCode(key: key.bytes)
        message.update(Array(purpose.rawValue.utf8) + withUnsafeBytes(of: inode.littleEndian) { Array($0) })
        self.message = message
    }

    /// A line with its end.
    ///
    /// - Parameters:
    ///   - content: JSON, without line ends.
    ///   - code: The previous line's.
    package func line(_ content: [UInt8], after code: [UInt8]? = nil) -> (bytes: [UInt8], code: [UInt8]) {
        let signed = content + [Self.ending]
        var message = message
        message.update(code ?? Self.start)
        message.update(signed)
        let code = message.finish()
        return (
            Self.beginning + Array(hexadecimal(code).utf8) + Self.separator + signed + [Self.newline], code
        )
    }

    /// The content of a line with its end.
    static func content(of line: [UInt8]) -> ArraySlice<UInt8> { line.dropFirst(headSize).dropLast(2) }

    /// The line of a value.
    package func line(of value: some Encodable, after code: Code = start) throws -> (bytes: [UInt8], code: Code) {
        line(Array(try JSON.line(value).dropLast()), after: code)
    }
}

extension RecordSeal {
    /// What a file may have at most. Checked before the file is read.
    package struct Limits: Sendable {
        /// Of a line and of the file, in bytes.
        let line, file: Int
        let lines: Int

        package init(line: Int, file: Int, lines: Int) { (self.line, self.file, self.lines) = (line, file, lines) }

        /// Whether a file may get another line of so many bytes.
        func allow(line size: Int, after contents: Contents) -> Bool {
            size <= line && contents.size + size <= file && contents.lines < lines
        }
    }

    /// What was read of a file.
    package struct Contents {
        /// The number of lines with their ends.
        package var lines = 0
        /// Their size in bytes. An interrupted run may have left a part of another line.
        package var size = 0
        /// The last one's code.
        package var code = RecordSeal.start

        package init() {}
    }

    /// The file has something at this offset that this program did not write in the folder.
    package struct ForeignLine: Error {
        package let offset: Int

        package init(offset: Int) { self.offset = offset }
    }

    /// Reads the lines of a file, of which only signed ones are kept in memory.
    ///
    /// - Parameter onLine: Called with the content of each line, and the offset of that in the file.
    /// - Throws: `ForeignLine`; `Errno` of pread(2); errors of `onLine`.
    package func read(_ file: InputFile, _ limits: Limits, _ onLine: ([UInt8], Int) throws -> Void) throws -> Contents {
        guard file.size <= limits.file else { throw ForeignLine(offset: 0) }
        var contents = Contents()
        var line = Line(message, after: contents.code)
        var offset = 0
        while offset < file.size {
            let piece = try file.bytes(at: offset, count: 1 << 18)
            if piece.isEmpty { break }
            offset += piece.count
            var rest = piece[...]
            while let end = rest.firstIndex(of: Self.newline) {
                line.add(rest[..<end])
                guard contents.lines < limits.lines, let code = line.finish() else {
                    throw ForeignLine(offset: contents.size)
                }
                let content = contents.size + Self.headSize
                try onLine(file.bytes(at: content, count: line.size - Self.headSize - 1), content)
                contents.code = code
                contents.lines += 1
                contents.size += line.size + 1
                line = Line(message, after: code)
                rest = rest[(end + 1)...]
            }
            line.add(rest)
            guard line.size <= limits.line, contents.lines > 0 || line.isPossible else {
                throw ForeignLine(offset: contents.size)
            }
        }
        return contents
    }

    /// A line that is being read.
    private struct Line {
        private(set) var size = 0
        private var head: [UInt8] = []
        private var message: MessageCode

        init(_ message: MessageCode, after code: Code) {
            self.message = message
            self.message.update(code)
        }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            size += bytes.count
            let missing = min(RecordSeal.headSize - head.count, bytes.count)
            head += bytes.prefix(missing)
            if isPossible { message.update(Array(bytes.dropFirst(missing))) }
        }

        /// Whether the line begins as one of this program.
        var isPossible: Bool {
            let beginning = RecordSeal.beginning
            return head.prefix(beginning.count).elementsEqual(beginning.prefix(head.count))
        }

        /// The line's code; nil if that is not what it begins with.
        mutating func finish() -> Code? {
            let code = message.finish()
            let expected = RecordSeal.beginning + Array(hexadecimal(code).utf8) + RecordSeal.separator
            return size > RecordSeal.headSize && MessageCode.areEqual(head, expected) ? code : nil
        }
    }
}

/// A number in a record: a size, a place in a file or a count. Sums of a few of them cannot overflow.
package struct RecordNumber: Codable, Sendable, Hashable {
    /// More than any file has.
    package static let limit = 1 << 48

    package let value: Int

    package init(_ value: Int) { self.value = value }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        value = try container.decode(Int.self)
        guard (0...Self.limit).contains(value) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a number that no file has")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
