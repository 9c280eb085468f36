import Dispatch
import LivePhotoConversion
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs work that SIGINT, SIGTERM and SIGHUP cancel, so that it can take back what it has begun.
enum Interruption {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// - Throws: `Stopped` when a signal came; what `work` throws otherwise.
    static func guarding<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await work() }
        let sources = signals.map { number in
            // The default would end the process before the source sees the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            return (number, source)
        }
        let receivedSignal = ReceivedSignal()
        for (number, source) in sources {
            source.setEventHandler {
                receivedSignal.store(number)
                task.cancel()
            }
            source.resume()
        }
        defer {
            for (number, source) in sources {
                source.cancel()
                signal(number, SIG_DFL)
            }
        }
        do {
            return try await task.value
        } catch let error as ConversionError where error.code == .cancelled {
            throw Stopped(signal: receivedSignal.number ?? SIGINT)
        }
    }
}

private final class ReceivedSignal: Sendable {
    private let value = Atomic<Int32>(0)

    func store(_ number: Int32) { value.store(number, ordering: .relaxed) }

    var number: Int32? {
        let number = value.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }
}
