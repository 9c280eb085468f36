import ArgumentParser
import LivePhotoBatch
import Logging

/// One job of a batch, in a process of its own. Not for people: `batch` starts it.
struct WorkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work", abstract: "Does one job of a batch, which starts it.", shouldDisplay: false)

    func run() async throws {
        LoggingOptions.apply(.debug)
        let status = try await Interruption.guarding { try await JobWorker(version: Version.current).run() }
        if status != 0 { throw ExitCode(status) }
    }
}
