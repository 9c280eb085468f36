import LivePhotoConversion

/// A bar on stderr while a conversion runs; nothing where stderr is no terminal.
struct ProgressBar: Sendable {
    private let title: String
    private let isShown: Bool

    init(_ title: String) {
        self.title = title
        isShown = Terminal.isInteractive
    }

    func show(_ progress: ConversionProgress) {
        guard isShown else { return }
        let width = min(max(Terminal.columns - title.count - 30, 8), 40)
        let filled = progress.totalFrames > 0 ? width * progress.frames / progress.totalFrames : 0
        let bar = String(repeating: "━", count: filled) + String(repeating: " ", count: width - filled)
        Terminal.write("\r\(title) \(bar) \(progress.frames)/\(progress.totalFrames) frames ")
    }

    /// Takes the bar away.
    func clear() {
        guard isShown else { return }
        Terminal.write("\r\u{1B}[K")
    }
}
