package import LivePhotoRequests
import Synchronization
package import WebServer

/// Records which clients have fetched which Live Photos.
package final class FetchLog: Sendable {
    private let total: Int
    private let report: @Sendable (ShareEvent) -> Void
    private let state = Mutex(State())

    private struct State {
        var transfers: [Key: Transfer] = [:]
        var fetched: Set<Int> = []
        /// Live Photos that cannot be fetched.
        var unusable: Set<Int> = []
        /// Answers that are prepared or sent.
        var running = 0
        var lastUse = ContinuousClock.now
    }

    /// Several files may have one name.
    private struct Key: Hashable {
        let client: String
        let path: String
    }

    private struct Transfer {
        var sent = RangeSet<Int>()
        var sentBytes = 0
        var lastReport: ContinuousClock.Instant?
        /// Requests that are being answered.
        var running = 0
    }

    /// Between two reports of a transfer.
    private static let interval = Duration.milliseconds(200)
    /// Of what clients can make grow.
    private static let (mostTransfers, mostRanges) = (4_096, 1_000)

    package init(total: Int, report: @escaping @Sendable (ShareEvent) -> Void) {
        (self.total, self.report) = (total, report)
    }

    /// Whether every Live Photo has been fetched and nothing is under way, for so long.
    package func isDone(for time: Duration) -> Bool {
        state.withLock {
            $0.fetched.union($0.unusable).count == total && $0.running == 0 && ContinuousClock.now - $0.lastUse > time
        }
    }

    /// Whether nobody has asked for anything for so long.
    package func isIdle(for time: Duration) -> Bool {
        state.withLock { $0.running == 0 && ContinuousClock.now - $0.lastUse > time }
    }

    /// Notes a Live Photo that cannot be fetched.
    ///
    /// - Returns: whether that is new.
    func leaveOut(_ item: Int) -> Bool { state.withLock { $0.unusable.insert(item).inserted } }

    /// Notes the begin of an answer, which may take time to prepare.
    func begin() {
        state.withLock { state in
            state.running += 1
            state.lastUse = .now
        }
    }

    /// Notes that an answer is ready; `follow` begins before.
    func end() { state.withLock { $0.running -= 1 } }

    /// Follows a response.
    ///
    /// - Parameters:
    ///   - name: under which the file is saved.
    ///   - items: what has been fetched when all of it was sent, also in parts.
    /// - Returns: to be called with what is sent.
    package func follow(
        _ request: Request, _ name: String, of size: Int, items: [Int]
    ) -> @Sendable (Range<Int>?) -> Void {
        let key = Key(client: request.client, path: request.path)
        let device = Device(userAgent: request.field("User-Agent") ?? "").name
        state.withLock { state in
            state.running += 1
            if state.transfers.count >= Self.mostTransfers {
                state.transfers = state.transfers.filter { $0.value.running > 0 }
            }
            state.transfers[key, default: Transfer()].running += 1
        }
        return { [self] range in
            let event: ShareEvent? = state.withLock { state in
                let now = ContinuousClock.now
                state.lastUse = now
                var transfer = state.transfers[key] ?? Transfer()
                if range == nil {
                    state.running -= 1
                    transfer.running -= 1
                }
                if let range, transfer.sent.ranges.count < Self.mostRanges {
                    transfer.sent.insert(contentsOf: range)
                    transfer.sentBytes = transfer.sent.ranges.reduce(0) { $0 + $1.count }
                }
                let isComplete = transfer.sentBytes >= size
                let isReported = range == nil || transfer.lastReport.map { now - $0 > Self.interval } ?? true
                if isReported { transfer.lastReport = now }
                if range == nil, isComplete { state.fetched.formUnion(items) }
                state.transfers[key] = transfer
                guard isReported, transfer.sentBytes > 0 else { return nil }
                return .transfer(
                    ShareEvent.Transfer(
                        client: key.client, device: device, name: name, sentBytes: transfer.sentBytes, totalBytes: size,
                        isComplete: range == nil && isComplete, hasEnded: range == nil, fetched: state.fetched.count))
            }
            if let event { report(event) }
        }
    }
}
