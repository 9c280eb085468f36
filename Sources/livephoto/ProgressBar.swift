import LivePhotoRequests

/// A progress bar on stderr, shown only on a terminal.
struct ProgressBar: Sendable {
    private let title: String
    private let isShown: Bool

    /// - Parameter title: cut after 30 characters.
    init(_ title: String) {
        let title = printable(title)
        self.title = title.count > 30 ? title.prefix(29) + "…" : title
        isShown = Terminal.isInteractive
    }

    func show(_ progress: ConversionProgress) {
        show(progress.frames, of: progress.totalFrames, "frame")
    }

    /// - Parameter unit: a noun in the singular.
    func show(_ done: Int, of total: Int, _ unit: String) {
        show(total > 0 ? Double(done) / Double(total) : 0, "\(done)/\(counted(total, unit))")
    }

    /// - Parameters:
    ///   - fraction: from 0 to 1.
    ///   - note: text after the bar.
    func show(_ fraction: Double, _ note: String) {
        guard isShown else { return }
        // Without two spaces and the last column, where the cursor could wrap the line.
        let width = min(Terminal.columns - title.count - note.count - 3, 40)
        guard width >= 8 else { return Terminal.write("\r\(note.prefix(max(Terminal.columns - 1, 12)))") }
        let filled = Int(Double(width) * min(max(fraction, 0), 1))
        let bar = String(repeating: "━", count: filled) + String(repeating: " ", count: width - filled)
        Terminal.write("\r\(title) \(bar) \(note)")
    }

    /// Removes the bar.
    func clear() {
        guard isShown else { return }
        Terminal.write("\r\u{1B}[K")
    }
}
