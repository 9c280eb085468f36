package import LivePhotoRequests

/// What a process of the worker writes to standard output, checked while it is read.
package struct WorkerAnswer: Sendable {
    package enum Problem: Sendable {
        /// More bytes than any task writes.
        case tooMuch
        /// A line that is no event, or whose values are impossible.
        case invalid
    }

    /// The last event that is not progress.
    package private(set) var result: WorkerEvent?
    /// Nothing is read after the first one.
    package private(set) var problem: Problem?
    private var lines = LineBuffer()
    private var budget: Double
    private var last: ContinuousClock.Instant

    /// Maximum size of a line, such as a result that contains a thumbnail, in bytes.
    package static let lineLimit = 1 << 22
    /// Bytes that may follow each second, for as long as the process works. Progress takes a few hundred.
    package static let bytesPerSecond = 1 << 16

    package init(now: ContinuousClock.Instant = .now) {
        (budget, last) = (Double(Self.lineLimit), now)
    }

    /// Takes what was written until now.
    ///
    /// - Returns: false if the process must be stopped.
    package mutating func append(
        _ bytes: [UInt8], at now: ContinuousClock.Instant = .now, _ progress: (ConversionProgress) -> Void
    ) -> Bool {
        guard problem == nil else { return false }
        budget = min(budget + (now - last) / .seconds(1) * Double(Self.bytesPerSecond), Double(Self.lineLimit))
        last = now
        budget -= Double(bytes.count)
        guard budget >= 0 else {
            problem = .tooMuch
            return false
        }
        lines.append(bytes) { line in
            // Libraries may print something else.
            guard problem == nil, line.first == UInt8(ascii: "{") else { return }
            guard let event = try? JSON.decode(WorkerEvent.self, from: line) else {
                problem = .invalid
                return
            }
            if case .progress(let now) = event { progress(now) } else { result = event }
        }
        if lines.count > Self.lineLimit { problem = .tooMuch }
        return problem == nil
    }
}
