import Foundation
import SystemPackage

/// A folder for one test, gone after it.
final class TemporaryFolder: Sendable {
    let path: FilePath

    /// - Parameter files: their texts by their names, which may lie deeper.
    init(_ files: [String: String] = [:]) throws {
        path = FilePath(FileManager.default.temporaryDirectory.path).appending("livephoto-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path.string)
    }

    func file(_ name: String) -> String { path.appending(name).string }

    func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

    /// What stands in it, hidden files too, in order.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path.string).sorted() }
    }

    func write(_ text: String, to name: String, permissions: Int = 0o644) throws {
        let url = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
    }

    /// All files below it by their names with their bytes, but for a batch's own.
    var files: [String: Data] {
        get throws {
            var files: [String: Data] = [:]
            for name in try FileManager.default.subpathsOfDirectory(atPath: path.string)
            where !name.contains(".livephoto-batch") {
                let type = try FileManager.default.attributesOfItem(atPath: file(name))[.type] as? FileAttributeType
                if type == .typeRegular { files[name] = try Data(contentsOf: URL(fileURLWithPath: file(name))) }
            }
            return files
        }
    }
}
