import Foundation
import SystemPackage

/// A folder for one test, gone after it.
final class TemporaryFolder: Sendable {
    let path: FilePath

    /// - Parameter files: their texts by their names, which may lie deeper.
    init(_ files: [String: String] = [:]) throws {
        path = FilePath(FileManager.default.temporaryDirectory.path).appending("livephoto-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
        for (name, text) in files {
            let file = URL(fileURLWithPath: path.appending(name).string)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path.string)
    }

    /// Everything in it, hidden files and what lies deeper too, in order.
    var contents: [String] {
        FileManager.default.subpaths(atPath: path.string)?.sorted() ?? []
    }
}
