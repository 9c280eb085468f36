import LivePhotoConversion
import Synchronization
import SystemPackage

/// Writes lines of JSON to the program that started this one.
final class Connection: Sendable {
    /// Several threads write, one line at a time.
    private let output = Mutex(FileDescriptor.standardOutput)

    func report(_ event: WorkerEvent) {
        // If the other program has ended, so does this one.
        output.withLock { _ = try? $0.writeAll(JSON.line(event)) }
    }
}
