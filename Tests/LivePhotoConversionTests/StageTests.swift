import Dispatch
import LivePhotoConversion
import MediaModel
import Testing

@Suite struct FrameMatcherTests {
    @Test func `pictures at the wanted times are found, and no others`() {
        var matcher = FrameMatcher<Int>([1, 3, 5].map(seconds))
        let found = (0..<8).flatMap { matcher.offer($0, at: seconds(Double($0))) }
        #expect(found.map(\.index) == [0, 1, 2])
        #expect(found.map(\.picture) == [1, 3, 5])
        #expect(matcher.isComplete && matcher.substitutions == 0)
    }

    @Test func `where a picture did not decode, the nearest stands in`() {
        var matcher = FrameMatcher<Int>([1, 3, 5].map(seconds))
        let found =
            [(1, 1.0), (2, 2.9), (4, 4.0)].flatMap { matcher.offer($0.0, at: seconds($0.1)) } + matcher.finish()
        #expect(found.map(\.picture) == [1, 2, 4])
        #expect(matcher.substitutions == 2)
    }

    @Test func `no pictures at all match nothing`() {
        var matcher = FrameMatcher<Int>([.zero])
        #expect(matcher.finish().isEmpty)
        #expect(!matcher.isComplete)
    }

    @Test func `a time stamp that goes back is passed over`() {
        var matcher = FrameMatcher<Int>([1, 2].map(seconds))
        let found = [(0, 0.0), (1, 1.0), (2, 0.5), (3, 2.0)].flatMap { matcher.offer($0.0, at: seconds($0.1)) }
        #expect(found.map(\.picture) == [1, 3])
    }
}

@Suite struct BoundedQueueTests {
    @Test(.timeLimit(.minutes(1)))
    func `elements come out in the order in which they went in, never more waiting than the bound`() {
        let queue = BoundedQueue<Int>(capacity: 3)
        DispatchQueue(label: "producer").async {
            for number in 0..<1000 where !queue.put(number) { return }
            queue.close()
        }
        var taken: [Int] = []
        while let number = queue.take() { taken.append(number) }
        #expect(taken == Array(0..<1000))
    }

    @Test(.timeLimit(.minutes(1))) func `closing wakes a producer that waits for room`() {
        let queue = BoundedQueue<Int>(capacity: 1)
        let stopped = DispatchSemaphore(value: 0)
        DispatchQueue(label: "producer").async {
            while queue.put(0) {}
            stopped.signal()
        }
        queue.close()
        stopped.wait()
        #expect(queue.put(1) == false)
    }
}

@Suite struct WorkerThreadTests {
    @Test(.timeLimit(.minutes(1))) func `any number of them runs at once`() throws {
        let count = 600
        let begun = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        let threads = try (0..<count).map { _ in
            try WorkerThread {
                begun.signal()
                goOn.wait()
            }
        }
        for _ in 0..<count { begun.wait() }
        for _ in 0..<count { goOn.signal() }
        for thread in threads { try thread.wait() }
    }

    @Test func `what the work throws is thrown where it is waited for`() throws {
        let thread = try WorkerThread { throw CancellationError() }
        #expect(throws: CancellationError.self) { try thread.wait() }
    }
}
