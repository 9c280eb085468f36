import Foundation
import Testing

/// A program that ran to its end.
struct Outcome {
    /// Its exit status; the negative of a signal that ended it.
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

    /// - Parameter configuration: the folder that `XDG_CONFIG_HOME` names; nil for one that is not there.
    static func livephoto(
        _ arguments: [String], in folder: URL? = nil, configuration: String? = nil
    ) throws -> Outcome {
        try RunningProgram(livephoto, arguments, in: folder, configuration: configuration).wait()
    }

    /// Runs a program of the system by its name.
    static func system(_ name: String, _ arguments: [String], in folder: URL? = nil) throws -> Outcome {
        try run(URL(fileURLWithPath: "/usr/bin/env"), [name] + arguments, in: folder)
    }

    /// Starts `livephoto` and returns without waiting.
    ///
    /// - Parameter output: takes what the program prints; nil for a file.
    static func start(_ arguments: [String], in folder: URL? = nil, output: TightPipe? = nil) throws -> RunningProgram {
        try RunningProgram(livephoto, arguments, in: folder, output: output)
    }

    private static func run(_ program: URL, _ arguments: [String], in folder: URL?) throws -> Outcome {
        try RunningProgram(program, arguments, in: folder).wait()
    }
}

/// A program that has been started.
final class RunningProgram {
    private let process = Process()
    private let log: TemporaryFolder
    private let output: TightPipe?
    /// Entered while the program runs. `waitUntilExit` looks only every 50 ms, which is half the time of most programs here.
    private let running = DispatchGroup()

    init(
        _ program: URL, _ arguments: [String], in folder: URL?, configuration: String? = nil, output: TightPipe? = nil
    ) throws {
        log = try TemporaryFolder()
        self.output = output
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        // Who runs the tests may have presets.
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["XDG_CONFIG_HOME": configuration ?? "/nonexistent"]) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        for name in ["out", "err"] { try Data().write(to: log.url.appendingPathComponent(name)) }
        process.standardOutput =
            try output?.writeEnd ?? FileHandle(forWritingTo: log.url.appendingPathComponent("out"))
        process.standardError = try FileHandle(forWritingTo: log.url.appendingPathComponent("err"))
        running.enter()
        process.terminationHandler = { [running] _ in running.leave() }
        do {
            try process.run()
        } catch {
            running.leave()
            throw error
        }
        try output?.writeEnd.close()
    }

    var isRunning: Bool { process.isRunning }
    var identifier: Int32 { process.processIdentifier }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    func wait() throws -> Outcome {
        let printed = try output?.read()
        running.wait()
        let status = process.terminationStatus
        return Outcome(
            status: process.terminationReason == .uncaughtSignal ? -status : status,
            output: try printed ?? String(contentsOfFile: log.path("out"), encoding: .utf8),
            errors: try String(contentsOfFile: log.path("err"), encoding: .utf8))
    }
}

/// Takes what a program prints, and makes it wait when a few lines are printed: then it can be stopped on its way.
final class TightPipe {
    private let pipe = Pipe()
    private let filler: Int

    /// - Parameter room: how many bytes fit before somebody reads.
    init(room: Int) throws {
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        // Linux's F_SETPIPE_SZ, a macro for GNU sources alone.
        let capacity = Int(fcntl(descriptor, 1031, getpagesize()))
        try #require(capacity > room)
        filler = capacity - room
        try pipe.fileHandleForWriting.write(contentsOf: Data(repeating: 0, count: filler))
    }

    fileprivate var writeEnd: FileHandle { pipe.fileHandleForWriting }

    /// What the program printed until it ended.
    fileprivate func read() throws -> String {
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: data.dropFirst(filler), as: UTF8.self)
    }
}

/// Expects an attempt to take less than a limit. A busy machine may delay one or two, so that the third decides; none may
/// take five times as long.
func expect(within limit: Duration, _ attempt: () throws -> Duration) throws {
    var times: [Duration] = []
    repeat { times.append(try attempt()) } while times.allSatisfy { $0 >= limit } && times.count < 3
    #expect(times.contains { $0 < limit } && times.allSatisfy { $0 < limit * 5 }, "\(times)")
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

    /// What it holds by name, down to the bytes; of what is no file, the kind.
    var snapshot: [String: Data] {
        get throws {
            try Dictionary(
                uniqueKeysWithValues: contents.map { name in
                    let kind = try FileManager.default.attributesOfItem(atPath: path(name))[.type] as? FileAttributeType
                    let isFile = kind == .typeRegular
                    return (
                        name,
                        isFile
                            ? try Data(contentsOf: URL(fileURLWithPath: path(name)))
                            : Data("\(kind, default: "?")".utf8)
                    )
                })
        }
    }
}
