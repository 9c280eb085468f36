import LivePhotoBatch
import Synchronization

/// Shows the address of a share, and who fetches what.
final class ShareDisplay: Sendable {
    private let count: Int
    private let order: ShareOrder
    private let isJSON: Bool
    private let isVerbose: Bool
    private let progress: ProgressOptions
    private let bar: ProgressDisplay
    private let state = Mutex(State())

    private struct State {
        var fetched = 0
        /// Those that have opened the page.
        var visitors: Set<String> = []
    }

    /// Number of visitors who are announced.
    private static let mostVisitors = 1_000
    /// Time without a visitor after which there is advice.
    private static let patience = Duration.seconds(30)

    init(count: Int, _ order: ShareOrder, isJSON: Bool, isVerbose: Bool, progress: ProgressOptions) {
        (self.count, self.order, self.isJSON, self.isVerbose) = (count, order, isJSON, isVerbose)
        self.progress = progress
        bar = ProgressDisplay("sending", progress.form)
    }

    func show(_ event: ShareEvent) {
        switch event {
        case .listening(let listening): show(listening)
        case .opened(let client, let device):
            let isNew = state.withLock {
                $0.visitors.count < Self.mostVisitors && $0.visitors.insert("\(client.text) \(device.text)").inserted
            }
            if isNew { say("\(device.text) (\(client.text)) opened the page") }
            printJSON(ShareDocument("opened", client: client.text, device: device.text))
        case .transfer(let transfer): show(transfer)
        case .problem(let name, let reason):
            Terminal.say("error: \(name.text): \(reason.text)")
            printJSON(ShareDocument(problem: name.text, reason.text))
        case .request(let client, let method, let path, let status, let userAgent):
            if isVerbose { say("\(client.text) \(method.text) \(path.text) \(status) \(quoted(userAgent.text))") }
        case .ended, .failed: break
        }
    }

    private func show(_ transfer: ShareEvent.Transfer) {
        // Events may come out of order.
        state.withLock { $0.fetched = max($0.fetched, transfer.fetched) }
        let (client, device, name) = (transfer.client.text, transfer.device.text, transfer.name.text)
        printJSON(ShareDocument(transfer))
        guard transfer.isComplete else {
            let size = "\(Words.size(bytes: transfer.sentBytes)) of \(Words.size(bytes: transfer.totalBytes))"
            guard progress.form == .bar, !transfer.hasEnded else { return bar.clear() }
            bar.show(
                Double(transfer.sentBytes) / Double(max(transfer.totalBytes, 1)), "\(name), \(size) to \(device)"
            ) { _ in ShareDocument(transfer) }
            return
        }
        let fetched = count == 1 ? "" : "; \(transfer.fetched) of \(counted(count, "Live Photo")) fetched"
        say("\(device) (\(client)) fetched \(name) (\(Words.size(bytes: transfer.totalBytes)))\(fetched)")
    }

    private func show(_ listening: ShareEvent.Listening) {
        let address = listening.address.text
        if isJSON {
            return printJSON(ShareDocument(listening, count: count))
        }
        let place = listening.interface.map { " (\($0.text))" } ?? ""
        let isShown = showsCode(listening)
        if listening.isLocal {
            say("This address works on this machine alone\(place).")
        } else {
            let scan = isShown ? "Scan the code with a phone in the same network\(place), or open" : "Open"
            say("\(scan) the address in a browser\(isShown ? " there" : " in the same network\(place)").")
        }
        if let fingerprint = listening.fingerprint?.text {
            say("The browser will warn of the certificate; its SHA-256 fingerprint is \(Self.grouped(fingerprint))")
        } else if !listening.isLocal {
            say("Others in this network could read along; --tls encrypts the connection.")
        }
        let end = order.seconds.map {
            "when \(count == 1 ? "it has" : "all \(count) have") been fetched, after \($0 / 60) minutes without a request, or "
        }
        say("Sharing ends \(end ?? "")with Ctrl-C.")
        if isShown {
            // Last, so that a terminal of 24 lines shows all of it.
            let lines = CodePicture(rows: listening.code.lines)
                .lines(usesColors: Terminal.isCapable, isUTF8: DisplayWidth.isUTF8)
            Terminal.write(lines.joined(separator: "\n") + "\n")
        }
        Terminal.printResult(address)
        if !listening.isLocal { adviseLater(address) }
    }

    /// Whether the terminal can show the code.
    private func showsCode(_ listening: ShareEvent.Listening) -> Bool {
        guard Terminal.isInteractive, !Terminal.isJSON, !progress.quiet, !listening.code.lines.isEmpty else {
            return false
        }
        let columns = CodePicture(rows: listening.code.lines).columns(isUTF8: DisplayWidth.isUTF8)
        guard columns > Terminal.columns else { return true }
        say("The terminal is too narrow for the QR code, which needs \(columns) columns.")
        return false
    }

    /// Says what may keep a phone away, if none has come for some time.
    private func adviseLater(_ address: String) {
        let port = address.split(separator: "/").dropFirst().first?.split(separator: ":").last ?? ""
        Task { [weak self] in
            try? await Task.sleep(for: Self.patience)
            guard let self, state.withLock({ $0.visitors.isEmpty && $0.fetched == 0 }) else { return }
            say(
                "Nobody has opened the address yet. The phone must be in the same network, not in that of guests, and a firewall "
                    + "here must accept TCP port \(port); --address and --port choose others.")
        }
    }

    /// - Returns: whether everything was fetched.
    func end(_ ending: ShareEvent.Ending) -> Bool {
        let isComplete = isComplete || ending == .fetched
        printJSON(ShareDocument(ending, fetched: state.withLock { $0.fetched }, count: count))
        switch ending {
        case .fetched: say("done; \(summary)")
        case .idle: say("nobody has asked for anything any more; \(summary)")
        }
        return isComplete
    }

    /// Whether everything was fetched.
    var isComplete: Bool { state.withLock { $0.fetched } == count }

    /// `2 of 3 Live Photos were fetched`
    var summary: String {
        bar.clear()
        let fetched = state.withLock { $0.fetched }
        if count == 1 { return "the Live Photo was \(fetched == 1 ? "" : "not ")fetched" }
        return fetched == count
            ? "all \(count) Live Photos were fetched"
            : "\(fetched) of \(count) Live Photos \(fetched == 1 ? "was" : "were") fetched"
    }

    private func say(_ line: String) {
        guard !isJSON else { return }
        progress.say(line)
    }

    private func printJSON(_ document: ShareDocument) {
        guard isJSON, let text = try? JSON.text(document) else { return }
        Terminal.printResult(text)
    }

    /// In pairs of digits, as browsers show it.
    private static func grouped(_ fingerprint: String) -> String {
        var result = ""
        for (index, digit) in fingerprint.uppercased().enumerated() {
            if index > 0, index.isMultiple(of: 2) { result += ":" }
            result.append(digit)
        }
        return result
    }
}

/// Output of `share --json` for an event.
private struct ShareDocument: Encodable {
    /// Increased when a property changes its meaning or is removed.
    private let schema = 1
    /// `listening`, `opened`, `transfer`, `problem` or `ended`.
    private let event: String
    private var address: String?
    private var interface: String?
    private var fingerprint: String?
    private var client: String?
    private var device: String?
    private var name: String?
    private var sentBytes: Int?
    private var totalBytes: Int?
    private var complete: Bool?
    private var fetched: Int?
    private var count: Int?
    private var reason: String?
    private var error: String?

    init(problem name: String, _ error: String) {
        (event, self.name, self.error) = ("problem", name, error)
    }

    init(_ event: String, client: String, device: String) {
        (self.event, self.client, self.device) = (event, client, device)
    }

    init(_ listening: ShareEvent.Listening, count: Int) {
        event = "listening"
        (address, interface) = (listening.address.text, listening.interface?.text)
        (fingerprint, self.count) = (listening.fingerprint?.text, count)
    }

    init(_ transfer: ShareEvent.Transfer) {
        event = "transfer"
        (client, device, name) = (transfer.client.text, transfer.device.text, transfer.name.text)
        (sentBytes, totalBytes) = (transfer.sentBytes, transfer.totalBytes)
        (complete, fetched) = (transfer.isComplete, transfer.fetched)
    }

    init(_ ending: ShareEvent.Ending, fetched: Int, count: Int) {
        event = "ended"
        (reason, self.fetched, self.count) = (ending.rawValue, fetched, count)
    }
}
