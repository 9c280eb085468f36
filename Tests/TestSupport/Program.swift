package import Foundation

/// Runs programs as a user does.
package enum Program {
    /// The program at LIVEPHOTO, which Scripts/test sets; otherwise the `livephoto` that was built with
    /// these tests, which is in the folder of the test program.
    package static let livephoto =
        ProcessInfo.processInfo.environment["LIVEPHOTO"].map { URL(fileURLWithPath: $0) } ?? built("livephoto")

    /// A program that was built with these tests.
    package static func built(_ name: String) -> URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name)
    }

    package static func livephoto(_ arguments: String..., in folder: URL? = nil) throws -> Outcome {
        try livephoto(arguments, in: folder)
    }

    /// - Parameter environment: variables besides those of the tests.
    package static func livephoto(
        _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> Outcome {
        try RunningProgram(livephoto, arguments, in: folder, environment: environment).wait()
    }

    /// Runs a program of the system by its name.
    package static func system(_ name: String, _ arguments: [String], in folder: URL? = nil) throws -> Outcome {
        try RunningProgram(URL(fileURLWithPath: "/usr/bin/env"), [name] + arguments, in: folder).wait()
    }

    /// Runs a program at the same time with each of several lists of arguments.
    package static func system(_ name: String, each arguments: [[String]]) throws -> [Outcome] {
        try arguments.map { try RunningProgram(URL(fileURLWithPath: "/usr/bin/env"), [name] + $0) }.map {
            try $0.wait()
        }
    }

    /// Runs `livephoto` at the same time with each of several lists of arguments.
    package static func livephoto(each arguments: [[String]]) throws -> [Outcome] {
        try arguments.map { try start($0) }.map { try $0.wait() }
    }

    /// Runs a program of the system that has to succeed.
    ///
    /// - Returns: what it prints.
    @discardableResult
    package static func run(_ command: [String], in folder: URL? = nil) throws -> String {
        let outcome = try system(command[0], Array(command.dropFirst()), in: folder)
        guard outcome.status == 0 else {
            throw ProgramError(
                description: "\(command) ended with status \(outcome.status): \(outcome.output)\(outcome.errors)")
        }
        return outcome.output
    }

    /// Makes a file with ffmpeg.
    ///
    /// - Parameter arguments: ffmpeg's, from the first input to the last option, separated by blanks.
    package static func ffmpeg(_ arguments: String, to path: String, in folder: URL? = nil) throws {
        let arguments = arguments.split(separator: " ").map(String.init)
        try run(["ffmpeg", "-v", "error", "-nostdin", "-y"] + arguments + [path], in: folder)
    }

    /// Starts `livephoto` and returns without waiting.
    ///
    /// - Parameter output: takes what the program prints; nil for a file.
    package static func start(
        _ arguments: [String], in folder: URL? = nil, output: TightPipe? = nil
    ) throws -> RunningProgram {
        try RunningProgram(livephoto, arguments, in: folder, output: output)
    }
}

/// A program that ran to its end.
package struct Outcome: Sendable {
    /// Its exit status; the negative of the signal that ended it.
    package let status: Int32
    package let output: String
    package let errors: String

    /// The signal that ended it.
    package var signal: Int32? { status < 0 ? -status : nil }
}

/// A program that failed although the test needs it, or that took too long.
package struct ProgramError: Error, CustomStringConvertible {
    package let description: String
}

/// A program that has been started.
package final class RunningProgram {
    private let process = Process()
    private let log: TemporaryFolder
    private let output: TightPipe?
    private let limit: Duration
    /// Entered while the program runs. `waitUntilExit` looks only every 50 ms, which is half the time of most programs here.
    private let running = DispatchGroup()

    /// - Parameters:
    ///   - environment: variables besides those of the tests.
    ///   - input: what it reads from standard input.
    ///   - limit: when `wait` ends it.
    ///   - output: takes what it prints; nil for a file.
    package init(
        _ program: URL, _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:],
        input: String = "", limit: Duration = .seconds(300), output: TightPipe? = nil
    ) throws {
        log = try TemporaryFolder(["in": input, "out": "", "err": ""])
        self.output = output
        self.limit = limit
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        // Anyone who runs the tests may have presets.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["XDG_CONFIG_HOME": "/nonexistent"]) { $1 }.merging(environment) { $1 }
        let handles = [
            try FileHandle(forReadingFrom: log.url.appendingPathComponent("in")),
            try output?.writeEnd ?? FileHandle(forWritingTo: log.url.appendingPathComponent("out")),
            try FileHandle(forWritingTo: log.url.appendingPathComponent("err")),
        ]
        process.standardInput = handles[0]
        process.standardOutput = handles[1]
        process.standardError = handles[2]
        running.enter()
        process.terminationHandler = { [running] _ in running.leave() }
        do {
            try process.run()
        } catch {
            running.leave()
            throw error
        }
        // Foundation keeps them open for long, and traps when there are a thousand.
        for handle in handles { try handle.close() }
    }

    package var isRunning: Bool { process.isRunning }
    package var identifier: Int32 { process.processIdentifier }

    /// The sizes of the files without names that it has open: those of conversions on their way.
    package var sizesOfUnnamedFiles: [Int] {
        let folder = "/proc/\(identifier)/fd/"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.compactMap { file in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + file)
            guard target?.hasSuffix(" (deleted)") == true else { return nil }
            return (try? FileHandle(forReadingFrom: URL(fileURLWithPath: folder + file)).seekToEnd()).map(Int.init)
        }
    }

    package func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    package func wait() throws -> Outcome {
        let printed = try output?.read()
        guard running.wait(timeout: .now() + limit / .seconds(1)) == .success else {
            send(SIGKILL)
            running.wait()
            throw ProgramError(description: "\(process.arguments ?? []) took longer than \(limit)")
        }
        let status = process.terminationStatus
        return Outcome(
            status: process.terminationReason == .uncaughtSignal ? -status : status,
            output: try printed ?? log.text("out"), errors: try log.text("err"))
    }
}
