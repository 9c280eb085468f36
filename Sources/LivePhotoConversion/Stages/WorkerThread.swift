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
/// It is not one of Dispatch's, whose number is limited: if each of them carried work that waits for other work to begin,
/// none ever would. Nor is it Foundation's, which ignores that a thread cannot be created.
package struct WorkerThread: Sendable {
    private let job: Job

    /// Starts `work`.
    ///
    /// - Throws: `LivePhotoError` if there is no memory for its stack, or no more threads are allowed: pthread_create(3).
    package init(_ work: @escaping @Sendable () throws -> Void) throws(LivePhotoError) {
        job = Job(work)
        try job.start()
    }

    /// Waits for the end of the work and throws what it threw. To be called once.
    package func wait() throws { try job.wait() }
}

/// The state shared by a thread and its waiter.
private final class Job: Sendable {
    private let work: @Sendable () throws -> Void
    private let result = Mutex<Result<Void, any Error>>(.success(()))
    private let isDone = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () throws -> Void) { self.work = work }

    func start() throws(LivePhotoError) {
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let argument = Unmanaged.passRetained(self)
        let status = pthread_create(&thread, nil, runJob, argument.toOpaque())
        guard status == 0 else {
            argument.release()
            throw LivePhotoError(.temporary, nil, "cannot start another thread: \(Errno(rawValue: status))")
        }
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
    }

    func run() {
        let outcome = Result { try work() }
        result.withLock { $0 = outcome }
        isDone.signal()
    }

    func wait() throws {
        isDone.wait()
        try result.withLock { $0 }.get()
    }
}

/// - Parameter argument: a retained `Job`.
private func runJob(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
}
