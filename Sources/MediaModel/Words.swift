/// Numbers in a readable form.
package enum Words {
    /// `999 bytes`, `1.2 kB`, `12 MB`: powers of 1,000.
    package static func size(bytes: Int) -> String {
        guard bytes >= 1_000 else { return counted(bytes, "byte") }
        var size = Double(bytes) / 1_000
        var units = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
        while size >= 999.5, units.count > 1 {
            size /= 1_000
            units.removeFirst()
        }
        return "\(size < 9.95 ? decimal(size, 1) : "\(Int(size.rounded()))") \(units.first ?? "")"
    }

    /// `9.5 s`, `15 s`, `2 min 5 s`, `3 h 10 min`
    package static func time(seconds: Double) -> String {
        let seconds = min(max(seconds, 0), 1e12)
        return seconds < 10 ? "\((seconds * 10).rounded() / 10) s" : time(wholeSeconds: Int(seconds))
    }

    /// `9 s`, `15 s`, `2 min 5 s`, `3 h 10 min`
    package static func time(wholeSeconds seconds: Int) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3_600: "\(seconds / 60) min \(seconds % 60) s"
        default: "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
        }
    }

    /// A number with `digits` decimals and at most 12 digits before the point.
    package static func decimal(_ number: Double, _ digits: Int) -> String {
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let whole = Int((min(max(number, -1e12), 1e12) * Double(scale)).rounded())
        guard digits > 0 else { return "\(whole)" }
        let rest = padded(whole.magnitude % UInt(scale), digits)
        return "\(whole < 0 ? "-" : "")\(whole.magnitude / UInt(scale)).\(rest)"
    }
}
