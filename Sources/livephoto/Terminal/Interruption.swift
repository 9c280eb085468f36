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

/// Runs work that signals cancel instead of ending the process, so that it can remove incomplete files.
enum Interruption {
    /// Signals that cancel the work.
    private static let stopping = [SIGINT, SIGTERM, SIGHUP]
    /// Signals for a closed pipe and for the file size limit, ignored because the write then fails with an error.
    private static let failing = [SIGPIPE, SIGXFSZ]
    /// Signals within this time after the first belong to the same request, such as one from the terminal and one from the
    /// parent process.
    private static let gracePeriod = DispatchTimeInterval.seconds(1)

    /// The first signal cancels `work`; a second later, another one ends the process at once.
    ///
    /// - Throws: `Stopped` after a signal; otherwise what `work` throws.
    static func guarding<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        // The work begins when signals can cancel it: before, one would end the process and leave incomplete files.
        let (ready, whenReady) = AsyncStream<Never>.makeStream()
        let task = Task {
            for await _ in ready {}
            return try await work()
        }
        let received = FirstSignal()
        // The default action would end the process before the dispatch source sees the signal.
        let former = (stopping + failing).map { (number: $0, handler: ignore($0)) }
        // SIGHUP is ignored in a program started with nohup, and must stay so.
        let watched = former.filter { stopping.contains($0.number) && !($0.number == SIGHUP && $0.handler == ignored) }
            .map(\.number)
        let sources = watched.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                guard received.store(number) else { return }
                task.cancel()
                DispatchQueue.global().asyncAfter(deadline: .now() + gracePeriod) {
                    for number in watched { signal(number, SIG_DFL) }
                }
            }
            source.resume()
            return source
        }
        whenReady.finish()
        defer {
            for source in sources { source.cancel() }
            // After a signal the program is about to end with a message, which another signal must not prevent.
            if received.number == nil {
                for (number, handler) in former { signal(number, unsafeBitCast(handler, to: Handler.self)) }
            }
        }
        do {
            return try await task.value
        } catch let error as LivePhotoError where error.code == .cancelled {
            throw Stopped(signal: received.number ?? SIGINT, note: "nothing was written")
        } catch is CancellationError {
            throw Stopped(signal: received.number ?? SIGINT, note: "nothing was written")
        } catch let error as Cancelled {
            throw Stopped(signal: received.number ?? SIGINT, note: error.note)
        }
    }

    private typealias Handler = (@convention(c) (Int32) -> Void)?

    /// `SIG_IGN`, as a number.
    private static let ignored = unsafeBitCast(SIG_IGN, to: Int.self)

    /// - Returns: the former handler, as a number: Swift takes the value 1 of `SIG_IGN`, in a nested optional as an iterator
    ///   returns it, for the end of the array.
    private static func ignore(_ number: Int32) -> Int {
        unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
    }
}

/// Work was cancelled after a part of it was done.
struct Cancelled: Error {
    /// What was done, or how to continue.
    let note: String
}

private final class FirstSignal: Sendable {
    private let value = Atomic<Int32>(0)

    /// - Returns: whether it is the first one.
    func store(_ number: Int32) -> Bool {
        value.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged
    }

    var number: Int32? {
        let number = value.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }
}
