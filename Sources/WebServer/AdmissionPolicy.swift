import NIOHTTP1

/// Who may use a server.
package enum Access: Sendable {
    /// Anyone who has the address, which stays valid: to read only.
    case shared
    /// Browser windows on this machine that were opened with an address that works once.
    ///
    /// - Parameter command: what people run to get another such address, such as `livephoto studio`.
    case window(command: String)
}

/// Decides which requests are answered.
protocol AdmissionPolicy: Sendable {
    /// Fields that each response has in addition.
    var fields: HTTPHeaders { get }

    /// The address that gives access, which ends with a slash.
    var address: String { get }

    func verdict(on head: HTTPRequestHead) -> Admission.Verdict

    /// A path as it may be shown.
    func withoutToken(_ path: String) -> String
}
