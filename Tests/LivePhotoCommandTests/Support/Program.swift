import Foundation
import Testing

/// A program that ran to its end.
struct Outcome {
    let status: Int32
    let output: String
    let errors: String
}

/// Runs programs as a user does.
enum Program {
    /// The `livephoto` that was built with these tests; it stands beside them.
    static let livephoto = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("livephoto")

    static func livephoto(_ arguments: String..., in folder: URL? = nil) throws -> Outcome {
        try run(livephoto, arguments, in: folder)
    }

    static func livephoto(_ arguments: [String], in folder: URL? = nil) throws -> Outcome {
        try run(livephoto, arguments, in: folder)
    }

    /// Runs a program of the system by its name.
    static func system(_ name: String, _ arguments: [String], in folder: URL? = nil) throws -> Outcome {
        try run(URL(fileURLWithPath: "/usr/bin/env"), [name] + arguments, in: folder)
    }

    /// Starts `livephoto` and returns without waiting.
    static func start(_ arguments: [String], in folder: URL) throws -> Process {
        let process = Process()
        process.executableURL = livephoto
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private static func run(_ program: URL, _ arguments: [String], in folder: URL?) throws -> Outcome {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        let log = try TemporaryFolder()
        let paths = ["out", "err"].map { log.url.appendingPathComponent($0) }
        for path in paths { try Data().write(to: path) }
        process.standardOutput = try FileHandle(forWritingTo: paths[0])
        process.standardError = try FileHandle(forWritingTo: paths[1])
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: try String(contentsOf: paths[0], encoding: .utf8),
            errors: try String(contentsOf: paths[1], encoding: .utf8))
    }
}

/// A folder that goes away with its owner.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("livephoto-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Everything in it, hidden files and what lies deeper too, in order.
    var contents: [String] {
        FileManager.default.subpaths(atPath: url.path)?.sorted() ?? []
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
