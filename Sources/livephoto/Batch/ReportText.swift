import LivePhotoBatch
import MediaModel

extension MergedReport {
    /// A table of all jobs, the reasons why some failed, and totals.
    ///
    /// - Parameter columns: the maximum width; nil for no limit.
    func text(columns: Int?) -> String {
        let table = entries.isEmpty ? "" : Self.table(entries.map { Self.row($0.record) }, columns: columns) + "\n\n"
        return table + failures.map(Self.text).joined() + printable(totals.text)
    }

    /// The most jobs that are named for a reason.
    private static let shown = 10

    /// `2 failed: no such file`, then the jobs.
    private static func text(_ failures: Failures) -> String {
        let ids = failures.records.prefix(shown).map { record in
            let own = record.reason == failures.reason ? nil : record.reason
            return "  \(printable(record.id))\(own.map { ": \(printable($0))" } ?? "")"
        }
        let others = failures.records.count - ids.count
        let lines = ["\(failures.records.count) failed: \(printable(failures.reason))"] + ids
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
    private static func table(_ rows: [[String]], columns: Int?) -> String {
        var rows = [head] + rows
        func widths() -> [Int] { rows[0].indices.map { column in rows.map { $0[column].columns }.max() ?? 0 } }
        func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * (widths.count - 1) }
        var fitting = widths()
        if let columns, total(fitting) > columns {
            for index in rows.indices { rows[index].removeLast() }
            fitting.removeLast()
            let excess = total(fitting) - columns
            if excess > 0 { fitting[0] = max(fitting[0] - excess, 8) }
        }
        return rows.map { row in
            var line = zip(row, fitting).enumerated().map { column, cell in
                let (text, width) = (cell.0.cut(to: cell.1), cell.1)
                let space = String(repeating: " ", count: max(width - text.columns, 0))
                // Numbers are right-aligned.
                return (2...4).contains(column) ? space + text : text + space
            }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
