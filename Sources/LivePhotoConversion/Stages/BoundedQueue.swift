import Dispatch
import Synchronization

/// A blocking queue of at most `capacity` elements between two threads.
package final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let free = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)

    package init(capacity: Int) {
        // libdispatch traps if a semaphore is freed below its initial value, so start at zero.
        for _ in 0..<capacity { free.signal() }
    }

    /// Waits for space and appends `element`; false if the queue is closed and the element was dropped.
    package func put(_ element: Element) -> Bool {
        free.wait()
        let isOpen = state.withLock { state in
            if !state.isClosed { state.elements.append(element) }
            return !state.isClosed
        }
        (isOpen ? filled : free).signal()
        return isOpen
    }

    /// Waits for an element and removes it; nil if the queue is closed and empty.
    package func take() -> Element? {
        filled.wait()
        let element = state.withLock { $0.elements.isEmpty ? nil : $0.elements.removeFirst() }
        (element == nil ? filled : free).signal()
        return element
    }

    /// Rejects further elements. The remaining ones can still be taken; both threads stop waiting.
    package func close() {
        state.withLock { $0.isClosed = true }
        filled.signal()
        free.signal()
    }
}
