package import FFmpegKit
import LivePhotoKit
import Synchronization

/// Encodes one group of pictures, from a key frame to the last picture before the next one, on a thread of its own. Nothing in
/// a group refers to another one, so several can be encoded at a time.
package final class GroupEncoder: Sendable {
    /// The encoded group.
    package struct Output: Sendable {
        package fileprivate(set) var parameterSets: [UInt8] = []
        /// In decoding order.
        package fileprivate(set) var samples: [VideoEncoder.Sample] = []
    }

    private let queue: BoundedQueue<Frame>
    private let work: Work
    private let thread: WorkerThread

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - capacity: the number of pictures that wait for the encoder.
    ///   - onPicture: called after each encoded picture, on the group's thread; an error ends the encoding.
    package init(
        _ settings: VideoEncoder.Settings, capacity: Int, onPicture: @escaping @Sendable () throws -> Void
    ) throws(LivePhotoError) {
        let queue = BoundedQueue<Frame>(capacity: capacity)
        let work = Work(settings, onPicture)
        thread = try WorkerThread {
            defer { queue.close() }
            try work.run(queue)
        }
        (self.queue, self.work) = (queue, work)
    }

    /// Hands over the next picture; waits if too many are waiting already.
    ///
    /// - Returns: false if encoding has failed; `output` throws the error.
    package func encode(_ picture: Frame) -> Bool { queue.put(picture) }

    /// Ends the group after the pictures so far.
    package func finish() { queue.close() }

    /// Waits until all pictures are encoded. Must be called at most once, and not after `stop`.
    ///
    /// - Throws: `LibavError`; `LivePhotoError`.
    package func output() throws -> Output {
        try thread.wait()
        return work.output.withLock { $0 }
    }

    /// Stops encoding and waits for the end of the thread.
    package func stop() {
        work.isStopped.store(true, ordering: .relaxed)
        queue.close()
        // Another error is the reason.
        try? thread.wait()
    }

    /// The work of the thread.
    private final class Work: Sendable {
        let output = Mutex(Output())
        let isStopped = Atomic(false)
        private let settings: VideoEncoder.Settings
        private let onPicture: @Sendable () throws -> Void

        init(_ settings: VideoEncoder.Settings, _ onPicture: @escaping @Sendable () throws -> Void) {
            (self.settings, self.onPicture) = (settings, onPicture)
        }

        func run(_ queue: BoundedQueue<Frame>) throws {
            let encoder = try VideoEncoder(settings)
            output.withLock { $0.parameterSets = encoder.parameterSets }
            while let picture = queue.take() { try encoder.encode(picture, receive) }
            try encoder.encode(nil, receive)
        }

        private func receive(_ sample: VideoEncoder.Sample) throws {
            if isStopped.load(ordering: .relaxed) { throw LivePhotoError(.cancelled, nil, "stopped") }
            output.withLock { $0.samples.append(sample) }
            try onPicture()
        }
    }
}
