import LivePhotoKit
import LivePhotoRequests
import LivePhotoShare
import Synchronization

/// Live Photos of the studio on their way to a phone, as `share` sends them.
final class PhoneShare: Sendable {
    struct Status: Encodable, Sendable {
        var isRunning = false
        /// The numbers of what is shared.
        var results: [Int] = []
        var address: String?
        /// Rows of the QR code: `1` is dark.
        var code: [String] = []
        /// Whether only this machine reaches the address.
        var isLocal = false
        var count = 0
        var fetched = 0
        /// One sentence.
        var error: String?
    }

    private struct State {
        var status = Status()
        var task: Task<Void, Never>?
        /// Of the share that is shown; events of an earlier one come late.
        var turn = 0
        var isStopped = false
    }

    private let state = Mutex(State())
    private let decoders: DecoderSettings
    /// Two requests at once are one after the other.
    private let starting = TaskLimit(1)

    init(_ decoders: DecoderSettings) { self.decoders = decoders }

    var status: Status { state.withLock { $0.status } }

    /// Shares Live Photos in place of those that are shared now.
    ///
    /// - Returns: once the address is known, or the error.
    func start(_ results: [StudioResult]) async -> Status {
        await starting.run { await startNow(results) }
    }

    private func startNow(_ results: [StudioResult]) async -> Status {
        await end()
        var order = ShareOrder(results.map { ShareOrder.Item(name: $0.name, $0.pair) })
        (order.seconds, order.decoders) = (Self.idleTime, decoders)
        let (events, queue) = AsyncStream.makeStream(of: Status.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            guard !state.isStopped else { return queue.finish() }
            state.turn += 1
            state.status = Status(isRunning: true, results: results.map(\.id), count: results.count)
            let turn = state.turn
            state.task = Task(executorPreference: BlockingExecutor.shared) { [self, order] in
                do {
                    _ = try await ShareServer.run(order) { [self] in note($0, turn, queue) }
                    change(turn) { $0.isRunning = false }
                } catch {
                    let sentence = (error as? LivePhotoError).map { "\($0)" } ?? "sharing was stopped"
                    change(turn) { ($0.isRunning, $0.error) = (false, sentence) }
                }
                queue.yield(status)
                queue.finish()
            }
        }
        for await status in events where status.address != nil || !status.isRunning { return status }
        return status
    }

    /// Seconds without a request.
    private static let idleTime = 600

    private func note(_ event: ShareEvent, _ turn: Int, _ queue: AsyncStream<Status>.Continuation) {
        switch event {
        case .listening(let listening):
            change(turn) { status in
                (status.address, status.code) = (listening.address.text, listening.code.lines)
                status.isLocal = listening.isLocal
            }
        case .transfer(let transfer): change(turn) { $0.fetched = max($0.fetched, transfer.fetched) }
        case .problem(let name, let reason): change(turn) { $0.error = "\(name.text): \(reason.text)" }
        case .opened, .request, .ended, .failed: return
        }
        queue.yield(status)
    }

    private func change(_ turn: Int, _ change: (inout Status) -> Void) {
        state.withLock { if $0.turn == turn { change(&$0.status) } }
    }

    private func end() async {
        let task = state.withLock { $0.task.take() }
        task?.cancel()
        await task?.value
    }

    /// Ends sharing, and waits for that.
    ///
    /// - Parameter isLast: whether nothing is shared afterwards.
    func stop(isLast: Bool = false) async {
        if isLast { state.withLock { $0.isStopped = true } }
        await end()
    }
}
