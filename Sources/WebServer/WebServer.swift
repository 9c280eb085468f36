package import Files
import NIOCore
import NIOHTTP1
import NIOPosix
import SystemPackage

/// An HTTP/1.1 server for one site, with limits for everything that a client does.
///
/// ```swift
/// let server = try await WebServer.start(at: try LocalAddress.ofNetwork(), site)
/// print(server.address)
/// try await server.run()
/// ```
package struct WebServer: Sendable {
    /// The address that gives access; for a window, the first one, which works once.
    package let address: String
    /// SHA-256 of the certificate, in hexadecimal; nil without TLS.
    package let fingerprint: String?

    private typealias Client = (parts: Connection.Parts, address: String)
    private let clients: NIOAsyncChannel<Client?, Never>
    private let group: MultiThreadedEventLoopGroup
    private let admission: any AdmissionPolicy
    private let limits: ServerLimits
    private let counts: ClientCounts

    /// Threads that move bytes. With several, NIO closes a connection that comes while the server ends on another thread, which may
    /// have ended: it says so on stderr, and traps if that is closed.
    private static let threads = 1
    /// Connections that wait until they are accepted.
    private static let backlog: CInt = 64

    /// Listens from now on; requests are answered once `run` is called.
    ///
    /// - Parameters:
    ///   - address: An IP address of this machine.
    ///   - port: 0 for one that is free.
    ///   - usesTLS: Whether connections are encrypted, with a certificate made for this run.
    ///   - access: Who may use it.
    /// - Throws: `LivePhotoError` if the address or the port cannot be used.
    package static func start(
        at address: LocalAddress, port: Int, usesTLS: Bool, access: Access = .shared,
        limits: ServerLimits = ServerLimits()
    ) async throws(LivePhotoError) -> WebServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: threads)
        do {
            return try await WebServer(address, port, usesTLS, access, limits, group)
        } catch {
            try? await group.shutdownGracefully()
            let reason = (error as? IOError).map { "\(Errno(rawValue: $0.errnoCode))" } ?? "\(error)"
            throw LivePhotoError(
                .temporary, nil, "cannot listen at \(address.text)\(port == 0 ? "" : ", port \(port)"): \(reason)",
                cause: error)
        }
    }

    private init(
        _ address: LocalAddress, _ port: Int, _ usesTLS: Bool, _ access: Access, _ limits: ServerLimits,
        _ group: MultiThreadedEventLoopGroup
    ) async throws {
        let certificate = usesTLS ? try TemporaryCertificate(for: address) : nil
        let counts = ClientCounts(limits)
        clients = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .bind(to: try SocketAddress(ipAddress: address.text, port: port)) { channel -> EventLoopFuture<Client?> in
                let client = channel.remoteAddress?.ipAddress ?? ""
                guard counts.begin(channel, of: client) else {
                    return channel.close().map { nil }
                }
                channel.closeFuture.whenComplete { _ in counts.end(channel, of: client) }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let certificate { try pipeline.addHandler(TLSHandler(TLSSession(certificate))) }
                    try pipeline.configureHTTPServerPipeline(
                        withErrorHandling: false, withEncoderConfiguration: .init(),
                        withDecoderLimitConfiguration: limits.ofDecoder)
                    try pipeline.addHandler(RequestTimer(limits))
                    return (try Connection.Parts(wrappingChannelSynchronously: channel), client)
                }.flatMapError { _ in
                    // An error would end the server.
                    channel.close().map { nil }
                }
            }
        let bound = clients.channel.localAddress?.port ?? port
        switch access {
        case .shared:
            admission = Admission(token: AccessToken(), host: address.host, port: bound, isSecure: usesTLS)
        case .window(let command):
            admission = WindowAdmission(host: address.host, port: bound, isSecure: usesTLS, command: command)
        }
        self.address = admission.address
        fingerprint = certificate?.fingerprint
        (self.limits, self.group, self.counts) = (limits, group, counts)
    }

    /// Answers requests until the task is cancelled or the address is lost, then closes all connections.
    ///
    /// - Parameter log: called with each request, on any thread.
    package func run(_ site: Site, log: @escaping @Sendable (RequestRecord) -> Void) async {
        let listener = clients.channel
        // Not cancelled itself: NIO traps if a connection that it has accepted is dropped.
        let accepting = Task { await accept(site, log) }
        await withTaskCancellationHandler {
            await accepting.value
        } onCancel: {
            listener.close(promise: nil)
        }
        try? await group.shutdownGracefully()
    }

    private func accept(_ site: Site, _ log: @escaping @Sendable (RequestRecord) -> Void) async {
        await withDiscardingTaskGroup { tasks in
            _ = try? await clients.executeThenClose { inbound in
                for try await case let client? in inbound {
                    let sender = ResponseSender(
                        channel: client.parts.channel, limits: limits, sendsFiles: fingerprint == nil)
                    let connection = Connection(
                        parts: client.parts, client: client.address, site: site, admission: admission, counts: counts,
                        log: log, sender: sender)
                    tasks.addTask { await connection.serve() }
                }
            }
            tasks.cancelAll()
        }
    }
}
