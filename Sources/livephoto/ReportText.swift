import LivePhotoBatch
import MediaModel

extension MergedReport {
    /// A table of all jobs, the errors of the failed ones, and totals.
    ///
    /// - Parameter columns: the maximum width; nil for no limit.
    func text(columns: Int?) -> String {
        let table = entries.isEmpty ? "" : Self.table(entries.map { Self.row($0.record) }, columns: columns) + "\n\n"
        let failures = entries.map(\.record).filter { $0.status == .failed }.map {
            "\(printable($0.id)): \(printable($0.error ?? "failed"))\n"
        }
        return table + failures.joined() + (failures.isEmpty ? "" : "\n") + printable(totals.text)
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

extension String {
    /// Width on a terminal.
    fileprivate var columns: Int { reduce(0) { $0 + $1.columns } }

    fileprivate func cut(to columns: Int) -> String {
        guard self.columns > columns else { return self }
        var (result, left) = ("", columns - 1)
        for character in self {
            left -= character.columns
            guard left >= 0 else { break }
            result.append(character)
        }
        return result + "…"
    }
}

extension Character {
    /// Width on a terminal: two for East Asian scripts and emoji (an approximation of Unicode Standard Annex 11).
    fileprivate var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        let isWide: Bool =
            switch first.value {
            case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
                0xFFE0...0xFFE6, 0x1F000...0x1FAFF, 0x20000...0x3FFFD:
                true
            default: unicodeScalars.contains { $0.value == 0xFE0F }
            }
        return isWide ? 2 : 1
    }
}
