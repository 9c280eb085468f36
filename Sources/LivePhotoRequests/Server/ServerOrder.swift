/// What `livephoto-server` is to do: one line of JSON on its standard input. It works until the input ends.
package struct ServerOrder: Codable, Sendable {
    package enum Service: Codable, Sendable {
        case share(ShareOrder)
        case studio(StudioOrder)

        package var decoders: DecoderSettings {
            switch self {
            case .share(let order): order.decoders
            case .studio(let order): order.decoders
            }
        }
    }

    /// The client's version. A server of another version rejects the order.
    package let version: String
    package let service: Service

    package init(_ service: Service) {
        version = ProgramVersion.current
        self.service = service
    }
}

/// A line of JSON on the standard output of `livephoto-server`.
package protocol ServerEvent: Codable, Sendable {
    /// Why the server could not go on; nil for any other event.
    var failure: ReportedError? { get }
}
