import Dispatch
import LivePhotoKit
import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A dedicated thread for blocking work.
///
/// It is not one of libdispatch's threads, whose number is limited: if all of them ran work that waits for queued work,
/// none would ever finish. It is not Foundation's Thread, which ignores errors of creating a thread.
package final class WorkerThread: Sendable {
    private let work: @Sendable () throws -> Void
    private let result = Mutex<Result<Void, any Error>>(.success(()))
    private let isDone = DispatchSemaphore(value: 0)

    /// Starts `work`.
    ///
    /// - Throws: `LivePhotoError` if memory or the allowed number of threads is exhausted: pthread_create(3).
    package init(_ work: @escaping @Sendable () throws -> Void) throws(LivePhotoError) {
        self.work = work
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let argument = Unmanaged.passRetained(self)
        let status = pthread_create(&thread, nil, runWorker, argument.toOpaque())
        guard status == 0 else {
            argument.release()
            throw .noThread(nil, Errno(rawValue: status))
        }
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
    }

    fileprivate func run() {
        let outcome = Result { try work() }
        result.withLock { $0 = outcome }
        isDone.signal()
    }

    /// Waits for the end of the work and throws its error. Must be called at most once.
    package func wait() throws {
        isDone.wait()
        try result.withLock { $0 }.get()
    }
}

/// - Parameter argument: a retained `WorkerThread`.
private func runWorker(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<WorkerThread>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
}
