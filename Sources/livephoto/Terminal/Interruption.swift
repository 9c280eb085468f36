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

/// Runs a command that signals cancel instead of ending the process, so that it can remove incomplete files.
enum Interruption {
    /// Signals that cancel the work.
    private static let stopping = [SIGINT, SIGTERM, SIGHUP]
    /// Signals for a closed pipe and for the file size limit, ignored because the write then fails with an error.
    private static let failing = [SIGPIPE, SIGXFSZ]
    /// Signals within this time after the first belong to the same request, such as one from the terminal and one from the
    /// parent process.
    private static let gracePeriod = Duration.seconds(1)
    /// When the process ends although the work does not, whatever it does: killing it does no harm at any time, because the
    /// next run removes or completes what it left.
    private static let longestEnd = Duration.milliseconds(2500)

    /// The first signal, or 0.
    private static let first = Atomic<Int32>(0)
    private static let hasArrived = DispatchSemaphore(value: 0)

    /// Runs `work` and ends the program with its result. The first signal cancels it; a second later, another one ends the
    /// process at once.
    ///
    /// This thread watches over the work, which therefore cannot keep it from ending. It needs no file descriptors for that.
    static func run(_ work: @escaping @Sendable () async throws -> Void) -> Never {
        // The handler must find it complete.
        _ = hasArrived
        // SIGHUP is ignored in a program started with nohup, and must stay so.
        let watched = stopping.filter { number in
            let former = signal(number) { number in
                if Interruption.first.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged {
                    Interruption.hasArrived.signal()
                }
            }
            guard number == SIGHUP, unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) else {
                return true
            }
            signal(number, SIG_IGN)
            return false
        }
        for number in failing { signal(number, SIG_IGN) }
        unblock(watched)
        let task = Task.detached {
            do {
                try await work()
                try Terminal.checkPrinted()
            } catch {
                Failure(explained(error)).exit()
            }
            Terminal.endProcess(0)
        }
        hasArrived.wait()
        task.cancel()
        let start = ContinuousClock.now
        sleep(until: start + gracePeriod)
        for number in watched { signal(number, SIG_DFL) }
        sleep(until: start + longestEnd)
        Terminal.say("stopped; the next run in the same folder removes what was not finished")
        _exit(128 + first.load(ordering: .relaxed))
    }

    /// Lets this thread receive signals that the parent process has blocked.
    private static func unblock(_ numbers: [Int32]) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    private static func explained(_ error: any Error) -> any Error {
        let note: String? =
            switch error {
            case let error as LivePhotoError where error.code == .cancelled: "nothing was written"
            case is CancellationError: "nothing was written"
            case let error as Cancelled: error.note
            default: nil
            }
        let signal = first.load(ordering: .relaxed)
        return note.map { Stopped(signal: signal == 0 ? SIGINT : signal, note: $0) } ?? error
    }

    private static func sleep(until end: ContinuousClock.Instant) {
        // Further signals end a call early.
        while ContinuousClock.now < end { usleep(20_000) }
    }
}

/// Work was cancelled after a part of it was done.
struct Cancelled: Error {
    /// What was done, or how to continue.
    let note: String
}
