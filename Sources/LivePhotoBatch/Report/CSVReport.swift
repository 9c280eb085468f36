import LivePhotoKit
import MediaModel
public import SystemPackage

extension MergedReport {
    /// Writes a table for spreadsheets (RFC 4180): a header with the names of the record's properties, and a line for each
    /// job.
    ///
    /// Text that begins with `=`, `+`, `-` or `@` gets an apostrophe in front, because file names come from anywhere and a
    /// spreadsheet would run them as formulas. Control characters are escaped, so that each line is one job.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - replacesExisting: whether an existing file is replaced.
    ///   - progress: called after each job with the number of jobs so far.
    /// - Throws: `LivePhotoError` if the file exists and must not be replaced, or cannot be written.
    public func writeCSV(
        to path: FilePath, replacesExisting: Bool = false, progress: (Int) -> Void = { _ in }
    ) throws(LivePhotoError) {
        try check(path, replacesExisting: replacesExisting)
        let file = try StagedFile(path, replacesExisting: replacesExisting)
        try file.write(Array(CSV.line(CSV.columns.map(\.name)).utf8))
        for (number, entry) in zip(1..., entries) {
            if Task.isCancelled { throw .cancellation }
            progress(number)
            try file.write(Array(CSV.line(CSV.columns.map { $0.cell(entry.record) ?? "" }).utf8))
        }
        try file.publish()
    }
}

package enum CSV {
    struct Column: Sendable {
        let name: String
        /// The cell as written to the file.
        let cell: @Sendable (JobRecord) -> String?
    }

    static let columns: [Column] = [
        text("id") { $0.id }, text("status") { $0.status.rawValue }, number("exitCode") { $0.exitCode },
        text("signal") { $0.signal }, text("error") { $0.error }, text("reason") { $0.reason },
        text("code") { $0.code },
        text("retryable") { $0.retryable.map { "\($0)" } },
        number("attempts") { $0.attempts ?? 0 }, number("seconds") { $0.seconds }, text("ended") { $0.ended },
        text("host") { $0.host }, text("shard") { $0.shard }, text("version") { $0.version },
        text("photo.path") { $0.photo?.path }, number("photo.bytes") { $0.photo?.bytes },
        text("photo.sha256") { $0.photo?.sha256 }, text("movie.path") { $0.movie?.path },
        number("movie.bytes") { $0.movie?.bytes }, text("movie.sha256") { $0.movie?.sha256 },
        number("frames") { $0.frames }, text("contentIdentifier") { $0.contentIdentifier },
        text("stillAsked") { $0.stillAsked },
        number("stillTimeInClip") { $0.stillTimeInClip }, number("stillTime") { $0.stillTime },
        number("duration") { $0.duration }, text("captureDate") { $0.captureDate },
        text("captureDateSource") { $0.captureDateSource }, text("warnings") { $0.warnings.joined(separator: "; ") },
        text("inputs[].path") { $0.inputs.map(\.path).joined(separator: "; ") },
        text("inputs[].sha256") { $0.inputs.map(\.sha256).joined(separator: "; ") },
    ]

    private static func text(_ name: String, _ value: @escaping @Sendable (JobRecord) -> String?) -> Column {
        Column(name: name) { value($0).map(cell) }
    }

    private static func number(
        _ name: String, _ value: @escaping @Sendable (JobRecord) -> (any CustomStringConvertible)?
    ) -> Column {
        Column(name: name) { value($0).map { "\($0)" } }
    }

    static func line(_ cells: [String]) -> String { cells.joined(separator: ",") + "\r\n" }

    /// Includes the full-width forms, which spreadsheets in East Asia treat alike.
    private static let formulaStarts: Set<Character> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

    package static func cell(_ text: String) -> String {
        var text = printable(text)
        // Compare scalars: spreadsheets ignore a combining character after the first one.
        if let first = text.unicodeScalars.first, formulaStarts.contains(Character(first)) { text = "'" + text }
        guard text.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" || $0 == ";" }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
