import Bytes
import FFmpegKit
import LivePhotoKit
import Synchronization

/// Converts pictures and encodes them as JPEGs on several threads, and writes the JPEGs in the order of the pictures.
///
/// One thread calls its methods. It must end with `finish` or `cancel`.
final class JPEGThreads {
    private struct Picture: Sendable {
        let index: Int
        let frame: Frame
    }

    private let queue: BoundedQueue<Picture>
    private let output: OutputFile
    private var threads: [WorkerThread] = []
    /// The JPEGs that are not written yet, by the index of their picture.
    private let done: Done
    private var count = 0
    private var sizes: [Int] = []

    /// How many pictures may wait for each thread.
    private static let waiting = 4

    /// - Parameters:
    ///   - filters: to a format of JPEG.
    ///   - quality: from 1 to 100, as in `PhotoQuality`.
    init(_ count: Int, _ filters: PictureFilters, quality: Int, to output: OutputFile) throws {
        let queue = BoundedQueue<Picture>(capacity: max(count, 1) * Self.waiting)
        let done = Done()
        (self.queue, self.done, self.output) = (queue, done, output)
        do {
            for _ in 0..<max(count, 1) {
                threads.append(
                    try WorkerThread {
                        // Also after an error, so that nobody waits for this thread.
                        defer { queue.close() }
                        let converter = PictureConverter(filters, threads: 1)
                        while let picture = queue.take() {
                            let converted = try converter.convert(picture.frame)
                            done.add(try JPEGEncoder.encode(converted, quality: quality), picture.index)
                        }
                    })
            }
        } catch {
            cancel()
            throw error
        }
    }

    /// Adds the next picture, and writes the JPEGs that are ready.
    ///
    /// - Throws: the error of a thread.
    func add(_ frame: Frame) throws {
        guard queue.put(Picture(index: count, frame: frame)) else {
            try waitForThreads()
            throw CancellationError()
        }
        count += 1
        try writeReady()
    }

    /// Waits for all pictures, and closes the file.
    ///
    /// - Returns: the sizes of the JPEGs in bytes, in the order of the pictures.
    func finish() throws -> [Int] {
        queue.close()
        try waitForThreads()
        try writeReady()
        try output.close()
        return sizes
    }

    /// Leaves out all further pictures.
    func cancel() {
        queue.close()
        while queue.take() != nil {}
        try? waitForThreads()
    }

    private func waitForThreads() throws {
        let ended = threads
        threads = []
        let ends = ended.map { thread in Result { try thread.wait() } }
        for end in ends { try end.get() }
    }

    private func writeReady() throws {
        while let jpeg = done.take(sizes.count) {
            try output.write(jpeg)
            sizes.append(jpeg.count)
        }
    }
}

/// JPEGs of several threads.
private final class Done: Sendable {
    private let jpegs = Mutex<[Int: [UInt8]]>([:])

    func add(_ jpeg: [UInt8], _ index: Int) { jpegs.withLock { $0[index] = jpeg } }
    func take(_ index: Int) -> [UInt8]? { jpegs.withLock { $0.removeValue(forKey: index) } }
}
