import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

/// The options shared by extract and pack.
struct TransferOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Replace existing files whose content differs.")
    var force = false

    @Flag(name: [.customShort("n"), .long], help: "Print what would be done, but write nothing.")
    var dryRun = false

    @Flag(help: "Print one line of JSON for each pair.")
    var json = false

    @OptionGroup var jobs: JobsOption
    @OptionGroup var progress: ProgressOptions

    /// Runs `work`, which a signal stops between two pairs, and reports the result of each pair.
    ///
    /// - Parameters:
    ///   - title: the label of the progress bar, such as `extracting`.
    ///   - isSingle: whether a single pair was given, whose error becomes the error of the command.
    /// - Throws: `ExitCode` if one of several pairs failed; `Stopped`.
    func run(
        _ title: String, isSingle: Bool, _ work: (PairTransfer, TransferLog) async throws -> Void
    ) async throws {
        var transfer = PairTransfer(width: jobs.width)
        transfer.replacesExisting = force
        transfer.isDryRun = dryRun
        let log = TransferLog(title, progress, isJSON: json, isSingle: isSingle, isDryRun: dryRun)
        do {
            try await work(transfer, log)
        } catch is CancellationError {
            log.clear()
            throw Cancelled(note: log.progressNote)
        }
        try log.finish()
    }
}
