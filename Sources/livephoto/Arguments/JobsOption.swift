import ArgumentParser
import LivePhotoKit

/// How many files or pairs a command works on at a time.
struct JobsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Number of files or pairs to work on at a time. (default: chosen for the command and the machine)",
            valueName: "n"))
    var jobs: Int?

    /// More would only wait for each other.
    private static let most = 256

    func validate() throws {
        if let jobs, !(1...Self.most).contains(jobs) {
            throw ValidationError("--jobs: write a number from 1 to \(Self.most)")
        }
    }

    /// For work that needs little memory.
    var width: Int { jobs ?? CurrentProcess.cores }
}
