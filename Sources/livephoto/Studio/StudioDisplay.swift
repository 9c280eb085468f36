import LivePhotoBatch

/// Opens the window of the studio, and prints what is made in it.
struct StudioDisplay: Sendable {
    let isJSON: Bool
    let opensWindow: Bool
    let messages: QuietOption

    func show(_ event: StudioEvent) {
        switch event {
        case .listening(let address):
            if isJSON {
                printJSON(StudioDocument("listening", address: address.text))
            } else {
                messages.say(
                    opensWindow
                        ? "Opening a window in the browser; Ctrl-C ends the studio. If none appears, open this address, once:"
                        : "Open this address in a browser of this machine, once; Ctrl-C ends the studio.")
                Terminal.printResult(address.text)
            }
            if opensWindow { Task { await open(address.text) } }
        case .opened: printJSON(StudioDocument("opened"))
        case .made(let photo, let movie):
            if isJSON {
                printJSON(StudioDocument("made", photo: photo.path.string, movie: movie.path.string))
            } else {
                Terminal.printResult(lines: [photo.path.string, movie.path.string])
            }
        case .ended: printJSON(StudioDocument("ended"))
        case .failed: break
        }
    }

    private func open(_ address: String) async {
        guard await !BrowserWindow.open(address) else { return }
        messages.say("no window could be opened; open the address in a browser of this machine")
    }

    private func printJSON(_ document: StudioDocument) {
        guard isJSON, let text = try? JSON.text(document) else { return }
        Terminal.printResult(text)
    }
}

/// Output of `studio --json` for an event.
private struct StudioDocument: Encodable {
    /// Increased when a property changes its meaning or is removed.
    private let schema = 1
    /// `listening`, `opened`, `made` or `ended`.
    private let event: String
    private var address: String?
    private var photo: String?
    private var movie: String?

    init(_ event: String, address: String? = nil, photo: String? = nil, movie: String? = nil) {
        (self.event, self.address, self.photo, self.movie) = (event, address, photo, movie)
    }
}
