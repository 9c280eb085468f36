import LivePhotoConversion
import Synchronization
import SystemPackage

/// Exchanges lines of JSON with the program that started this one.
final class Connection: Sendable {
    /// Maximum size in bytes. An order is a preset and some paths, so it has some kilobytes.
    private static let orderLimit = 1 << 24
    /// Several threads write, one line at a time.
    private let output = Mutex(FileDescriptor.standardOutput)

    /// The first line without its line end, or all input if there is no line end.
    ///
    /// - Throws: `Errno` of read(2).
    func readOrder() throws -> [UInt8] {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while line.count < Self.orderLimit {
            let count = try buffer.withUnsafeMutableBytes { try FileDescriptor.standardInput.read(into: $0) }
            if let end = buffer[..<count].firstIndex(of: UInt8(ascii: "\n")) { return line + buffer[..<end] }
            if count == 0 { break }
            line += buffer[..<count]
        }
        return line
    }

    func report(_ event: WorkerEvent) {
        // If the other program has ended, so does this one.
        output.withLock { _ = try? $0.writeAll(JSON.line(event)) }
    }
}
