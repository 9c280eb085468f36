package import Bytes
package import Foundation
package import SystemPackage

/// A folder for one test, removed with its owner. Its name begins with `livephoto-test-`.
package final class TemporaryFolder: Sendable {
    package let path: FilePath

    /// - Parameter files: texts by file names; folders in the names are made.
    package init(_ files: [String: String] = [:]) throws {
        path = FilePath(FileManager.default.temporaryDirectory.path).appending("livephoto-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path.string)
    }

    package var url: URL { URL(fileURLWithPath: path.string, isDirectory: true) }

    /// A path in the folder, as programs take it.
    package func path(_ name: String) -> String { path.appending(name).string }

    /// A path in the folder at which there is nothing yet.
    package var unusedPath: FilePath { path.appending(UUID().uuidString) }

    /// A new file with these bytes, open for reading.
    package func file(_ bytes: [UInt8]) throws -> InputFile {
        let path = unusedPath
        try Data(bytes).write(to: URL(fileURLWithPath: path.string))
        return try InputFile(path)
    }

    /// Writes a file; folders in its name are made.
    package func write(_ text: String, to name: String, permissions: Int = 0o644) throws {
        let file = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
    }

    package func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
}

/// A file with these bytes, open for reading and no longer in any folder.
package func inputFile(_ bytes: [UInt8]) throws -> InputFile { try TemporaryFolder().file(bytes) }

/// What the folder contains. Hidden files count.
extension TemporaryFolder {
    /// The names at the top level, sorted.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path.string).sorted() }
    }

    /// The names at all levels, sorted.
    package var contents: [String] { FileManager.default.subpaths(atPath: path.string)?.sorted() ?? [] }

    /// The bytes of all regular files, by name.
    package var files: [String: Data] {
        get throws {
            try entries { name, type in
                type == .typeRegular ? try Data(contentsOf: URL(fileURLWithPath: path(name))) : nil
            }
        }
    }

    /// The texts of all regular files, by name; nil for folders and other entries.
    package var texts: [String: String?] {
        get throws { try entries { name, type in .some(type == .typeRegular ? try text(name) : nil) } }
    }

    /// The bytes of all regular files and the types of other entries, by name.
    package var snapshot: [String: Data] {
        get throws {
            try entries { name, type in
                type == .typeRegular
                    ? try Data(contentsOf: URL(fileURLWithPath: path(name))) : Data("\(type, default: "?")".utf8)
            }
        }
    }

    private func entries<Value>(_ value: (String, FileAttributeType?) throws -> Value?) throws -> [String: Value] {
        try FileManager.default.subpathsOfDirectory(atPath: path.string).reduce(into: [:]) { entries, name in
            let type = try FileManager.default.attributesOfItem(atPath: path(name))[.type] as? FileAttributeType
            if let value = try value(name, type) { entries.updateValue(value, forKey: name) }
        }
    }
}
