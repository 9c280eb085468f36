import Foundation
import SystemPackage

/// A folder for one test, gone after it.
final class TemporaryDirectory: Sendable {
    let path: FilePath

    init() throws {
        path = FilePath(FileManager.default.temporaryDirectory.path).appending("livephoto-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path.string)
    }

    /// All files below it with their contents, folders with nil; those that are hidden too.
    func contents() throws -> [String: String?] {
        var contents: [String: String?] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path.string) {
            let isFile = try Stat(path.appending(name), followTargetSymlink: false).type == .regular
            contents[name] = .some(isFile ? try read(path.appending(name)) : nil)
        }
        return contents
    }
}

func read(_ path: FilePath) throws -> String {
    try String(contentsOfFile: path.string, encoding: .utf8)
}

func write(_ text: String, to path: FilePath) throws {
    try text.write(toFile: path.string, atomically: false, encoding: .utf8)
}

func makeDirectory(_ path: FilePath, permissions: Int = 0o777) throws {
    try FileManager.default.createDirectory(
        atPath: path.string, withIntermediateDirectories: false, attributes: [.posixPermissions: permissions])
}

extension TemporaryDirectory {
    /// All files below it with their bytes.
    func contentsAsData() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path.string) {
            let file = path.appending(name)
            guard try Stat(file, followTargetSymlink: false).type == .regular else { continue }
            contents[name] = try Data(contentsOf: URL(fileURLWithPath: file.string))
        }
        return contents
    }
}
