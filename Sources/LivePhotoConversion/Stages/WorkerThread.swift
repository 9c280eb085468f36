import Dispatch
import Foundation
import Synchronization

/// A thread of its own for blocking work.
///
/// Not one of Dispatch's, of which there are only so many: where all of them carry work that waits for other work to
/// begin, none ever does.
package final class WorkerThread: Sendable {
    private let result = Mutex<Result<Void, any Error>>(.success(()))
    private let isDone = DispatchSemaphore(value: 0)

    /// Starts `work`.
    package init(_ work: @escaping @Sendable () throws -> Void) {
        Thread { [self] in
            let outcome = Result { try work() }
            result.withLock { $0 = outcome }
            isDone.signal()
        }.start()
    }

    /// Waits for the end of the work and throws what it threw.
    package func wait() throws {
        isDone.wait()
        try result.withLock { $0 }.get()
    }
}
