import LivePhotoKit
package import LivePhotoRequests
import LivePhotoWorker
import QRKit
import SystemPackage
import WebServer

/// Serves the Live Photos of an order to phones in the same network.
package enum ShareServer {
    /// How long the page stays after everything was fetched.
    private static let lastTime = Duration.seconds(5)
    private static let interval = Duration.milliseconds(200)

    /// Serves until everything was fetched, nobody has asked for the time of the order, or the task is cancelled.
    ///
    /// - Parameter report: called with each event but the last, on any thread.
    /// - Throws: `LivePhotoError` if the address cannot be used.
    package static func run(
        _ order: ShareOrder, report: @escaping @Sendable (ShareEvent) -> Void
    ) async throws(LivePhotoError) -> ShareEvent.Ending {
        guard !order.items.isEmpty else { throw LivePhotoError(.invalidRequest, nil, "there is nothing to share") }
        let address = try await LocalAddress.chosen(order.address)
        let scratch = try WorkFolder.temporary()
        defer { scratch.remove() }
        let server = try await WebServer.start(at: address, port: order.port, usesTLS: order.usesTLS)
        let library = SharedLibrary(order, MediaWorker(order.decoders).engine, scratch: scratch.new)
        let log = FetchLog(total: library.count, report: report)
        var names = DistinctNames()
        let site = ShareSite(
            library: library, log: log, names: order.items.map { names.distinct($0.name) }, address: server.address,
            report: report)
        report(
            .listening(
                ShareEvent.Listening(
                    address: server.address, interface: address.interface, isLocal: address.isLoopback,
                    fingerprint: server.fingerprint, code: QRCode(server.address)?.rows ?? [])))
        let ending = await withTaskGroup(of: ShareEvent.Ending?.self) { tasks in
            tasks.addTask {
                await server.run(site.site) { record in
                    guard order.reportsRequests else { return }
                    report(
                        .request(
                            client: ShownText(record.client), method: ShownText(record.method),
                            path: ShownText(record.path), status: Int(record.status),
                            userAgent: ShownText(record.userAgent)))
                }
                return nil
            }
            tasks.addTask { await end(of: log, after: order.seconds) }
            let ending = await tasks.next() ?? nil
            tasks.cancelAll()
            // Requests may wait for what is being made.
            await library.stop()
            return ending
        }
        guard let ending else {
            throw Task.isCancelled
                ? LivePhotoError(.cancelled, nil, "stopped")
                : LivePhotoError(.temporary, nil, "the network connection at \(address.text) was lost")
        }
        return ending
    }

    /// Waits for the end; nil if the task is cancelled.
    private static func end(of log: FetchLog, after seconds: Int?) async -> ShareEvent.Ending? {
        while true {
            guard (try? await Task.sleep(for: interval)) != nil else { return nil }
            guard let seconds else { continue }
            if log.isDone(for: lastTime) { return .fetched }
            if log.isIdle(for: .seconds(seconds)) { return .idle }
        }
    }
}
