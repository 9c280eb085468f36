import LivePhotoKit

/// What happens while Live Photos are shared. The last event is `ended` or `failed`.
package enum ShareEvent: ServerEvent {
    case listening(Listening)
    /// A client opened the page.
    case opened(client: ShownText, device: ShownText)
    case transfer(Transfer)
    /// A Live Photo cannot be given, and why.
    case problem(name: ShownText, reason: ShownText)
    /// A request and its answer, as in a server's log.
    case request(client: ShownText, method: ShownText, path: ShownText, status: Int, userAgent: ShownText)
    case ended(Ending)
    case failed(ReportedError)

    package var failure: ReportedError? { if case .failed(let error) = self { error } else { nil } }

    package struct Listening: Codable, Sendable {
        /// With the token.
        package let address: ShownText
        /// The network interface, such as `wlan0`.
        package let interface: ShownText?
        /// Whether only this machine reaches it.
        package let isLocal: Bool
        /// SHA-256 of the certificate in hexadecimal; nil without TLS.
        package let fingerprint: ShownText?
        /// The address as a QR code: `1` is dark.
        package let code: ShownLines

        package init(address: String, interface: String?, isLocal: Bool, fingerprint: String?, code: [String]) {
            self.address = ShownText(address)
            self.interface = interface.map { ShownText($0) }
            self.fingerprint = fingerprint.map { ShownText($0) }
            (self.isLocal, self.code) = (isLocal, ShownLines(code))
        }
    }

    /// How far a client has fetched a file.
    package struct Transfer: Codable, Sendable {
        package let client: ShownText
        /// `iPhone`, `Android phone`.
        package let device: ShownText
        /// The name under which it is saved.
        package let name: ShownText
        package let sentBytes: Int
        package let totalBytes: Int
        /// Whether all of it was sent to this client.
        package let isComplete: Bool
        /// Whether nothing more is sent now: it is complete, or was stopped.
        package let hasEnded: Bool
        /// The number of Live Photos that have been fetched by anyone, of all.
        package let fetched: Int

        package init(
            client: String, device: String, name: String, sentBytes: Int, totalBytes: Int, isComplete: Bool,
            hasEnded: Bool, fetched: Int
        ) {
            (self.client, self.device, self.name) = (ShownText(client), ShownText(device), ShownText(name))
            (self.sentBytes, self.totalBytes, self.isComplete) = (sentBytes, totalBytes, isComplete)
            (self.hasEnded, self.fetched) = (hasEnded, fetched)
        }
    }

    package enum Ending: String, Codable, Sendable {
        /// Every Live Photo has been fetched.
        case fetched
        /// There was no request for the time of the order.
        case idle
    }
}
