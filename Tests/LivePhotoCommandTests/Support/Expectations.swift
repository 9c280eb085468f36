import Foundation
import TestSupport
import Testing

/// Runs `livephoto` with arguments that cannot succeed, and expects what every failure owes its user: the exit status
/// and a sentence that begins with `error: ` on stderr, at most one line more that points to the help, nothing on
/// stdout, and a folder in which nothing has changed, hidden files included.
func expectFailure(
    _ arguments: [String], in folder: TemporaryFolder, _ status: Int32, _ sentence: String,
    by run: ([String], URL) throws -> Outcome = { try Program.livephoto($0, in: $1) },
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let before = try folder.snapshot
    let outcome = try run(arguments, folder.url)
    let lines = outcome.errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let first = lines.first ?? ""
    #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(first.hasPrefix("error: ") && first.contains(sentence), "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(
        lines.count == 1 || lines.count == 2 && lines[1].hasPrefix("See 'livephoto") && lines[1].hasSuffix("--help'."),
        "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
    #expect(try folder.snapshot == before, "\(folder.contents)", sourceLocation: sourceLocation)
}

/// Expects an attempt to take less than a limit. A busy machine may delay one or two, so that the third decides; none may
/// take five times as long.
func expect(within limit: Duration, _ attempt: () throws -> Duration) throws {
    var times: [Duration] = []
    repeat { times.append(try attempt()) } while times.allSatisfy { $0 >= limit } && times.count < 3
    #expect(times.contains { $0 < limit } && times.allSatisfy { $0 < limit * 5 }, "\(times)")
}
