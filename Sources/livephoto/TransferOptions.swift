import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How pairs go into containers and out of them.
struct TransferOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Replace other files of the same names.")
    var force = false

    @Flag(name: [.customShort("n"), .long], help: "Say what would be made, and make nothing.")
    var dryRun = false

    @Flag(help: "Print one JSON document a line for each pair.")
    var json = false

    /// Runs `work`, which a signal stops between two pairs, and tells what becomes of each.
    ///
    /// - Parameters:
    ///   - title: what is done, for the bar: `extracting`.
    ///   - isSingle: whether one pair is meant, whose failure is that of the command.
    /// - Throws: `ExitCode` where a pair of several failed; `Stopped`.
    func run(
        _ title: String, isSingle: Bool, _ work: @escaping @Sendable (PairTransfer, TransferLog) async throws -> Void
    ) async throws {
        var transfer = PairTransfer(width: ProcessInfo.processInfo.activeProcessorCount)
        transfer.replacesExisting = force
        transfer.isDryRun = dryRun
        let log = TransferLog(title, isJSON: json, isSingle: isSingle)
        let prepared = transfer
        try await Interruption.guarding {
            do {
                try await work(prepared, log)
            } catch is CancellationError {
                log.bar.clear()
                throw Cancelled(remains: log.madeInWords)
            }
        }
        try log.finish()
    }
}
