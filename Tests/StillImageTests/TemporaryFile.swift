import Bytes
import Foundation
import SystemPackage

/// A file with these bytes, open for reading, and already gone from its folder.
func inputFile(_ bytes: [UInt8]) throws -> InputFile {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("StillImageTests-\(UUID().uuidString)")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try InputFile(FilePath(url.path))
}
