#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The threads that this process can still start: getrlimit(2), `RLIMIT_NPROC`, which counts the threads of all processes of a
/// user, and the limit of a container. libdispatch tries forever to start one that it needs.
enum Threads {
    static let tooFew =
        "too few threads can be started; allow more processes (ulimit -u, or the limit of the container)"

    /// Whether so many more threads can be started now, which takes some 20 microseconds for each.
    static func canStart(_ count: Int) -> Bool {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        guard pthread_attr_init(attributes) == 0 else { return false }
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setstacksize(attributes, stack)
        // Locked while the threads start, so that they exist at the same time.
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { gate.deallocate() }
        guard pthread_mutex_init(gate, nil) == 0 else { return false }
        defer { pthread_mutex_destroy(gate) }
        pthread_mutex_lock(gate)
        var started: [pthread_t] = []
        while started.count < count {
            #if canImport(Darwin)
                var thread: pthread_t?
            #else
                var thread = pthread_t()
            #endif
            guard pthread_create(&thread, attributes, passThrough, gate) == 0 else { break }
            #if canImport(Darwin)
                if let thread { started.append(thread) }
            #else
                started.append(thread)
            #endif
        }
        pthread_mutex_unlock(gate)
        for thread in started { pthread_join(thread, nil) }
        return started.count == count
    }

    /// In bytes.
    private static let stack = 1 << 18
}

/// - Parameter gate: a mutex that the thread waits for.
private func passThrough(_ gate: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
    pthread_mutex_lock(gate)
    pthread_mutex_unlock(gate)
    return nil
}
