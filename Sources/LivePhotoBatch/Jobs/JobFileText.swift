import LivePhotoKit
import LivePhotoRequests
import SystemPackage

/// The text of a job file. JSON lines are read one by one, so that their file may be larger than the memory.
final class JobFileText {
    /// The file's name, for errors.
    let name: String
    /// Nil once all is read; `deinit` closes it unless it is standard input.
    private var descriptor: FileDescriptor?
    private let path: FilePath?
    /// What was read and not taken yet begins at `start`.
    private var bytes: [UInt8]
    private var start = 0
    private var count = 0

    /// The maximum size: about ten million jobs.
    private static let limit = 2 << 30
    /// Bytes that are read before the form of the file is known: more than the first line of JSON lines has.
    private static let headSize = 4 << 20
    private static let partSize = 1 << 18
    /// Longer lines are cut. Joining surrogate pairs makes a text shorter by a sixth at most.
    private static let lineLimit = 2 * YAMLNode.sizeLimit
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let newline = UInt8(ascii: "\n")

    /// - Parameter path: nil for standard input.
    /// - Throws: `LivePhotoError` with the code `noInput` if reading fails.
    init(_ path: FilePath?, name: String) throws(LivePhotoError) {
        (self.name, self.path, bytes) = (name, path, [])
        do {
            descriptor =
                try path.map { try FileDescriptor.open($0, .readOnly, options: .closeOnExec) } ?? .standardInput
        } catch {
            throw failure(error)
        }
        while bytes.count < Self.headSize, try readPart() {}
        removeMark()
    }

    init(_ bytes: [UInt8], name: String) {
        (self.name, self.bytes, path) = (name, bytes, nil)
        removeMark()
    }

    deinit {
        if path != nil { try? descriptor?.close() }
    }

    private func removeMark() {
        if bytes.starts(with: Self.byteOrderMark) { start = Self.byteOrderMark.count }
    }

    /// - Returns: whether there was more.
    private func readPart() throws(LivePhotoError) -> Bool {
        guard let descriptor else { return false }
        var buffer = [UInt8](repeating: 0, count: Self.partSize)
        do {
            let read = try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
            count += read
            guard count <= Self.limit else { throw Errno.fileTooLarge }
            bytes += buffer[..<read]
            guard read == 0 else { return true }
        } catch {
            throw failure(error)
        }
        if path != nil { try? descriptor.close() }
        self.descriptor = nil
        return false
    }

    private func failure(_ error: any Error) -> LivePhotoError {
        if error as? Errno == .fileTooLarge { return YAMLNode.tooLarge(file: name, limit: Self.limit) }
        let known = LivePhotoError(reading: FilePath(name), error)
        return LivePhotoError(.noInput, known.file, known.reason, cause: error)
    }

    /// Whether the first line is a complete JSON object that is not a job file of one line.
    var looksLikeLines: Bool {
        let lines = bytes[start...].split(separator: Self.newline, maxSplits: 64).filter { !Self.isBlank($0) }
        guard let first = lines.first.map({ $0.filter { !Self.isWhite($0) } }),
            first.first == UInt8(ascii: "{"), first.last == UInt8(ascii: "}")
        else { return false }
        // A first line that is not read to its end is no complete object.
        if lines.count == 1, descriptor != nil { return false }
        return lines.count > 1 || !first.contains(Array("\"\(DocumentKey.jobs.rawValue)\":".utf8))
    }

    /// All bytes that were not taken yet.
    func all() throws(LivePhotoError) -> [UInt8] {
        while try readPart() {}
        defer { (bytes, start) = ([], 0) }
        return start == 0 ? bytes : Array(bytes[start...])
    }

    /// The next line without its end, or a part of one that is much too long; nil at the end of the file.
    func line() throws(LivePhotoError) -> [UInt8]? {
        var searched = start
        while true {
            if let end = bytes[searched...].firstIndex(of: Self.newline) {
                defer { start = end + 1 }
                return Array(bytes[start..<end])
            }
            let length = bytes.count - start
            if length <= Self.lineLimit {
                bytes.removeFirst(start)
                (start, searched) = (0, length)
                if try readPart() { continue }
            }
            defer { start = bytes.count }
            return length > 0 ? Array(bytes[start...]) : nil
        }
    }

    static func isBlank(_ line: some Sequence<UInt8>) -> Bool { line.allSatisfy(isWhite) }

    private static func isWhite(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }
}
