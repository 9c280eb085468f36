import ArgumentParser
import LivePhotoKit

/// How many files or pairs a command works on at a time.
struct JobsOption: ParsableArguments {
    @Option(
        name: .customLong("jobs"), parsing: .unconditional,
        help: ArgumentHelp(
            "Number of files or pairs to work on at a time. (default: chosen for the command and the machine)",
            valueName: "n"))
    var count: Int?

    /// More would only wait for each other.
    private static let most = 256

    func validate() throws {
        if let count, !(1...Self.most).contains(count) {
            throw ValidationError("--jobs: write a number from 1 to \(Self.most)")
        }
    }

    /// For work that needs little memory.
    var width: Int { count ?? CurrentProcess.cores }
    /// For changes in place, which mostly wait for the disk.
    var changesInPlace: Int { count ?? 16 }
}
