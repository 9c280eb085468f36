import Dispatch
import LivePhotoKit
import LivePhotoRequests
import LivePhotoShare
import LivePhotoStudio
import Logging
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The server: reads one order from standard input, reports events on standard output, and ends when the input ends.
@main
struct Main {
    /// In bytes: a hundred thousand Live Photos.
    private static let orderLimit = 1 << 26
    /// Events that wait until the other program reads them; older ones are dropped.
    private static let waitingEvents = 1_000

    static func main() async {
        let (lines, queue) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(waitingEvents))
        // The other program may not read for some time, such as behind a stopped terminal; nothing here waits for that.
        let writer = Task(executorPreference: BlockingExecutor.shared) {
            // If the other program has ended, so does this one.
            for await line in lines { _ = try? FileDescriptor.standardOutput.writeAll(line) }
        }
        let status = await serve { event in
            if let line = try? JSON.line(event) { queue.yield(line) }
        }
        queue.finish()
        await writer.value
        exit(status)
    }

    /// - Returns: the exit status.
    private static func serve(_ report: @escaping @Sendable (any ServerEvent) -> Void) async -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        // Handled below.
        signal(SIGTERM, SIG_IGN)
        do {
            let line = try await withTaskExecutorPreference(BlockingExecutor.shared) {
                try OrderInput.line(limit: orderLimit)
            }
            let version = try OrderInput.version(of: line, for: "livephoto-server")
            guard version == ProgramVersion.current else {
                throw LivePhotoError(
                    .missingLibrary, nil,
                    "livephoto-server is of version \(ProgramVersion.current), and livephoto of \(version); reinstall livephoto"
                )
            }
            let order = try JSON.decode(ServerOrder.self, from: line)
            let level: Logger.Level = order.service.decoders.isVerbose ? .trace : .error
            LoggingSystem.bootstrap { label in
                var handler = StreamLogHandler.standardError(label: label)
                handler.logLevel = level
                return handler
            }
            let run = Task { try await serve(order.service, report) }
            Task(executorPreference: BlockingExecutor.shared) {
                OrderInput.waitForEnd()
                run.cancel()
            }
            let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
            termination.setEventHandler { @Sendable in run.cancel() }
            termination.resume()
            defer { termination.cancel() }
            report(try await run.value)
            return 0
        } catch {
            let error =
                error as? LivePhotoError
                ?? LivePhotoError(.internalError, nil, "internal error: \(error)", cause: error)
            // The events of all services have this one.
            report(ShareEvent.failed(ReportedError(error)))
            return error.code.exitStatus
        }
    }

    /// - Returns: the last event.
    private static func serve(
        _ service: ServerOrder.Service, _ report: @escaping @Sendable (any ServerEvent) -> Void
    ) async throws -> any ServerEvent {
        switch service {
        case .share(let order): return ShareEvent.ended(try await ShareServer.run(order) { report($0) })
        case .studio(let order):
            try await StudioServer.run(order) { report($0) }
            return StudioEvent.ended
        }
    }
}
