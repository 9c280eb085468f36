import Dispatch
import LivePhotoKit
import LivePhotoRequests
import LivePhotoShare
import Synchronization
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
    private static let output = Mutex(FileDescriptor.standardOutput)

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        // Handled below.
        signal(SIGTERM, SIG_IGN)
        do {
            let line = try await withTaskExecutorPreference(BlockingExecutor.shared) { try readOrder() }
            guard let order = try? JSON.decode(ShareOrder.self, from: line) else {
                throw LivePhotoError(.invalidRequest, nil, "livephoto-server is a part of livephoto, which starts it")
            }
            guard order.version == ProgramVersion.current else {
                throw LivePhotoError(
                    .missingLibrary, nil,
                    "livephoto-server is version \(ProgramVersion.current), and livephoto is \(order.version); install both "
                        + "from one package")
            }
            let run = Task { try await ShareServer.run(order, report: report) }
            Task(executorPreference: BlockingExecutor.shared) {
                waitForEndOfInput()
                run.cancel()
            }
            let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
            termination.setEventHandler { @Sendable in run.cancel() }
            termination.resume()
            defer { termination.cancel() }
            report(.ended(try await run.value))
            exit(0)
        } catch {
            let error =
                error as? LivePhotoError
                ?? LivePhotoError(.internalError, nil, "internal error: \(error)", cause: error)
            report(.failed(ReportedError(error)))
            exit(error.code.exitStatus)
        }
    }

    private static func report(_ event: ShareEvent) {
        // If the other program has ended, so does this one.
        output.withLock { _ = try? $0.writeAll(JSON.line(event)) }
    }

    private static func readOrder() throws -> [UInt8] {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while line.count < orderLimit {
            let count = try buffer.withUnsafeMutableBytes { try FileDescriptor.standardInput.read(into: $0) }
            if let end = buffer[..<count].firstIndex(of: UInt8(ascii: "\n")) { return line + buffer[..<end] }
            if count == 0 { break }
            line += buffer[..<count]
        }
        return line
    }

    private static func waitForEndOfInput() {
        var buffer = [UInt8](repeating: 0, count: 64)
        while let count = try? buffer.withUnsafeMutableBytes({ try FileDescriptor.standardInput.read(into: $0) }),
            count > 0
        {}
    }
}
