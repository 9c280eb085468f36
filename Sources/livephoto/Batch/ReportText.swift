import LivePhotoBatch
import MediaModel

extension MergedReport {
    /// Prints a table of all jobs, the reasons why some failed, and totals.
    ///
    /// - Parameters:
    ///   - columns: the maximum width; nil for no limit.
    ///   - print: prints a text and the end of a line.
    func printText(columns: Int?, _ print: (String) throws -> Void) rethrows {
        if !entries.isEmpty {
            try printTable(columns: columns, print)
            try print("")
        }
        let (totals, failures) = summary
        try print(failures.map(Self.text).joined() + printable(totals.text))
    }

    /// The most jobs that are named for a reason.
    private static let shown = 10

    /// `2 failed: no such file`, then the jobs.
    private static func text(_ failures: Failures) -> String {
        let ids = failures.records(atMost: shown).map { record in
            let own = record.reason == failures.reason ? nil : record.reason
            return "  \(printable(record.id))\(own.map { ": \(printable($0))" } ?? "")"
        }
        let others = failures.count - ids.count
        let lines = ["\(failures.count) failed: \(printable(failures.reason))"] + ids
        return (lines + (others > 0 ? ["  and \(counted(others, "other"))"] : [])).joined(separator: "\n") + "\n\n"
    }

    private static let head = ["id", "status", "time", "size", "still", "identifier"]

    private static func row(_ record: JobRecord) -> [String] {
        [
            printable(record.id), record.status.rawValue,
            record.seconds.map { "\(Words.decimal($0, 1)) s" } ?? "",
            record.outputBytes.map { Words.size(bytes: $0) } ?? "",
            record.stillTime.map { "\(Words.decimal($0, 2)) s" } ?? "", printable(record.contentIdentifier ?? ""),
        ]
    }

    /// If lines are too long, omits the identifiers, then cuts the ids.
    private func printTable(columns: Int?, _ print: (String) throws -> Void) rethrows {
        var widths = Self.head.map(\.columns)
        for entry in entries {
            for (index, cell) in Self.row(entry.record).enumerated() {
                widths[index] = max(widths[index], cell.columns)
            }
        }
        func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * (widths.count - 1) }
        if let columns, total(widths) > columns {
            widths.removeLast()
            let excess = total(widths) - columns
            if excess > 0 { widths[0] = max(widths[0] - excess, 8) }
        }
        try print(Self.line(Self.head, widths))
        for entry in entries { try print(Self.line(Self.row(entry.record), widths)) }
    }

    private static func line(_ row: [String], _ widths: [Int]) -> String {
        var line = zip(row, widths).enumerated().map { column, cell in
            let (text, width) = (cell.0.cut(to: cell.1), cell.1)
            let space = String(repeating: " ", count: max(width - text.columns, 0))
            // Numbers are right-aligned.
            return (2...4).contains(column) ? space + text : text + space
        }.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}
