import Bytes
import Foundation
import SystemPackage

/// A folder that goes away with the test.
final class TemporaryFolder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("QuickTimeTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> FilePath { FilePath(url.appendingPathComponent(name).path) }

    /// A new file with these bytes, open for reading.
    func file(_ bytes: [UInt8]) throws -> InputFile {
        let path = path(UUID().uuidString)
        let output = try OutputFile(creating: path)
        try output.write(bytes)
        try output.synchronize()
        return try InputFile(path)
    }
}
