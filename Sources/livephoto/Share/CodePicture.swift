/// A QR code for a terminal.
struct CodePicture {
    /// Rows of `1` for dark and `0` for light modules.
    let rows: [String]

    /// Light modules around it, which readers need.
    private static let margin = 4

    /// The lines of the picture.
    ///
    /// - Parameters:
    ///   - usesColors: whether escape sequences make dark and light what they are, whatever the terminal's colours.
    ///   - isUTF8: whether there are half blocks, two modules in one character.
    func lines(usesColors: Bool, isUTF8: Bool) -> [String] {
        let rows = framed
        if isUTF8 {
            return stride(from: 0, to: rows.count, by: 2).map { index in
                let lower = index + 1 < rows.count ? rows[index + 1] : Array(repeating: false, count: rows[index].count)
                return zip(rows[index], lower).map { Self.halfBlock($0, $1, usesColors) }.joined()
            }.map { usesColors ? "\u{1B}[30;107m\($0)\u{1B}[m" : $0 }
        }
        return rows.map { row in
            guard usesColors else { return row.map { $0 ? "##" : "  " }.joined() }
            return row.map { $0 ? "\u{1B}[40m  " : "\u{1B}[107m  " }.joined() + "\u{1B}[m"
        }
    }

    /// Columns of a line.
    func columns(isUTF8: Bool) -> Int { (rows.count + 2 * Self.margin) * (isUTF8 ? 1 : 2) }

    private var framed: [[Bool]] {
        let side = Array(repeating: false, count: Self.margin)
        let empty = Array(repeating: false, count: rows.count + 2 * Self.margin)
        let edge = Array(repeating: empty, count: Self.margin)
        return edge + rows.map { side + $0.map { $0 == "1" } + side } + edge
    }

    /// Without colours, a terminal's text is taken to be light on dark.
    private static func halfBlock(_ upper: Bool, _ lower: Bool, _ usesColors: Bool) -> String {
        switch (upper == usesColors, lower == usesColors) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
