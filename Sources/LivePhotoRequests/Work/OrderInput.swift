import LivePhotoKit
import SystemPackage

/// Standard input of a program that another one starts: one line of JSON, the order. The other program keeps the input open
/// as long as it wants the work.
package enum OrderInput {
    /// The part of an order that every version can read.
    private struct Version: Decodable {
        let version: String
    }

    /// The first line without its line end, or all input if there is no line end.
    ///
    /// - Parameter limit: Maximum size in bytes.
    /// - Throws: `Errno` of read(2).
    package static func line(limit: Int) throws -> [UInt8] {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while line.count < limit {
            let count = try buffer.withUnsafeMutableBytes { try FileDescriptor.standardInput.read(into: $0) }
            if let end = buffer[..<count].firstIndex(of: UInt8(ascii: "\n")) { return line + buffer[..<end] }
            if count == 0 { break }
            line += buffer[..<count]
        }
        return line
    }

    /// The version of the program that wrote an order.
    ///
    /// - Parameter program: This one, for the error.
    /// - Throws: `LivePhotoError` if it is no order.
    package static func version(of line: [UInt8], for program: String) throws(LivePhotoError) -> String {
        guard let version = try? JSON.decode(Version.self, from: line).version else {
            throw LivePhotoError(.invalidRequest, nil, "\(program) is a part of livephoto, which starts it")
        }
        return version
    }

    /// Waits until the other program closes the input or ends.
    package static func waitForEnd() {
        var buffer = [UInt8](repeating: 0, count: 64)
        while let count = try? buffer.withUnsafeMutableBytes({ try FileDescriptor.standardInput.read(into: $0) }),
            count > 0
        {}
    }
}
