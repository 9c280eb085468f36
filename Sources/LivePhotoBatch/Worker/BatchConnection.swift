import Dispatch
import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A process's lines to and from its batch. When the batch is killed, its end of standard input closes, and this process
/// ends as by SIGTERM: it must not go on beside a new run of the batch.
final class BatchConnection: Sendable {
    private let lines = Mutex<[[UInt8]]>([])
    private let arrived = DispatchSemaphore(value: 0)
    /// An order is a job's options and its preset: some kilobytes.
    private static let lengthLimit = 1 << 24
    /// How long a process may take to clean up behind it.
    private static let patience = DispatchTimeInterval.seconds(5)

    init() {
        let thread = DispatchQueue(label: "livephoto.batch.connection")
        thread.async { [self] in
            read()
            arrived.signal()
            kill(getpid(), SIGTERM)
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { _exit(75) }
        }
    }

    private func read() {
        var begun: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while let count = try? buffer.withUnsafeMutableBytes({ try FileDescriptor.standardInput.read(into: $0) }),
            count > 0, begun.count < Self.lengthLimit
        {
            begun += buffer[..<count]
            while let end = begun.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(begun[..<end])
                lines.withLock { $0.append(line) }
                begun.removeSubrange(...end)
                arrived.signal()
            }
        }
    }

    /// The next line, without its end; nil when the batch has gone away. Waits for it.
    func nextLine() -> [UInt8]? {
        arrived.wait()
        return lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    func say(_ event: WorkEvent) throws {
        _ = try FileDescriptor.standardOutput.writeAll(JSONLine.encode(event))
    }
}
