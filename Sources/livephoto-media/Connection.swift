import LivePhotoConversion
import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Lines from and to the program that has started this one.
final class Connection: Sendable {
    /// An order is a preset and some paths: kilobytes.
    private static let orderLimit = 1 << 24
    private static let progressInterval = Duration.milliseconds(100)
    private let nextProgress = Mutex(ContinuousClock.now)
    /// One line at a time, from whatever thread.
    private let output = Mutex(FileDescriptor.standardOutput)

    /// The first line without its line end, or all input if there is no line end.
    ///
    /// - Throws: `Errno` of read(2).
    func readOrder() throws -> [UInt8] {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while line.count < Self.orderLimit {
            let count = try buffer.withUnsafeMutableBytes { try FileDescriptor.standardInput.read(into: $0) }
            if let end = buffer[..<count].firstIndex(of: UInt8(ascii: "\n")) { return line + buffer[..<end] }
            if count == 0 { break }
            line += buffer[..<count]
        }
        return line
    }

    /// Ends this process when the program that has started it closes its end of standard input, or ends: its results
    /// would go nowhere.
    func endWithFront() throws {
        _ = try WorkerThread {
            var buffer = [UInt8](repeating: 0, count: 64)
            while let count = try? buffer.withUnsafeMutableBytes({ try FileDescriptor.standardInput.read(into: $0) }),
                count > 0
            {}
            _exit(LivePhotoError.Code.temporary.exitStatus)
        }
    }

    /// Reports a conversion's progress, unless it did so within the last interval.
    func say(_ progress: ConversionProgress) {
        let now = ContinuousClock.now
        let isDue = nextProgress.withLock { next in
            guard now >= next || progress.frames == progress.totalFrames else { return false }
            next = now + Self.progressInterval
            return true
        }
        if isDue { say(.progress(frames: progress.frames, totalFrames: progress.totalFrames)) }
    }

    func say(_ event: WorkerEvent) {
        // If the other program has ended, so does this process.
        output.withLock { _ = try? $0.writeAll(JSONLine.encode(event)) }
    }
}
