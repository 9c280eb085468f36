import Dispatch
import LivePhotoRequests
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs work that signals cancel instead of ending the process, so that it can take back what it has begun.
enum Interruption {
    /// Signals by which a person or the system asks the program to stop.
    private static let stopping = [SIGINT, SIGTERM, SIGHUP]
    /// A closed pipe, a file that may not grow: the write that met it fails, and says so.
    private static let failing = [SIGPIPE, SIGXFSZ]
    /// Signals that follow the first one this soon are part of the same request: one from the terminal, one from the
    /// process that started this one.
    private static let patience = DispatchTimeInterval.seconds(1)

    /// The first signal cancels `work`; after a second's patience, another one ends the process at once.
    ///
    /// - Throws: `Stopped` when a signal came; what `work` throws otherwise.
    static func guarding<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await work() }
        let received = FirstSignal()
        // The default would end the process before anything of ours sees the signal.
        let former = (stopping + failing).map { (number: $0, handler: ignore($0)) }
        // Who starts a program with nohup wants it to outlive the terminal.
        let watched = former.filter { stopping.contains($0.number) && !($0.number == SIGHUP && $0.handler == ignored) }
            .map(\.number)
        let sources = watched.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                guard received.store(number) else { return }
                task.cancel()
                DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
                    for number in watched { signal(number, SIG_DFL) }
                }
            }
            source.resume()
            return source
        }
        defer {
            for source in sources { source.cancel() }
            // After a signal the program is about to end; another one must not end it before it has said so.
            if received.number == nil {
                for (number, handler) in former { signal(number, unsafeBitCast(handler, to: Handler.self)) }
            }
        }
        do {
            return try await task.value
        } catch let error as LivePhotoError where error.code == .cancelled {
            throw Stopped(signal: received.number ?? SIGINT, remains: "nothing was written")
        } catch is CancellationError {
            throw Stopped(signal: received.number ?? SIGINT, remains: "nothing was written")
        } catch let error as Cancelled {
            throw Stopped(signal: received.number ?? SIGINT, remains: error.remains)
        }
    }

    private typealias Handler = (@convention(c) (Int32) -> Void)?

    /// `SIG_IGN`, as a number.
    private static let ignored = unsafeBitCast(SIG_IGN, to: Int.self)

    /// - Returns: the handler until now. As a number: Swift takes the 1 of `SIG_IGN`, in an optional in an optional such as
    ///   an iterator returns, for the end of the array.
    private static func ignore(_ number: Int32) -> Int {
        unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
    }
}

/// Work was cancelled after a part of it was done.
struct Cancelled: Error {
    /// What stays, in words.
    let remains: String
}

private final class FirstSignal: Sendable {
    private let value = Atomic<Int32>(0)

    /// False when one came before.
    func store(_ number: Int32) -> Bool {
        value.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged
    }

    var number: Int32? {
        let number = value.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }
}
