#if os(Linux)
    import CSandbox
#endif

/// Restricts this process to computing, as far as the system can. Open files stay usable, but no file can be opened, no
/// connection made, and no other process started, traced or signalled.
package enum WorkerSandbox {
    /// Enters the sandbox, for good. Call this while the process has only one thread.
    ///
    /// - Returns: the kernel's version of Landlock, nil for none; and whether seccomp(2) filters system calls.
    package static func enter() -> (landlock: Int?, seccomp: Bool) {
        #if os(Linux)
            // Required for Landlock and seccomp (prctl(2)).
            _ = livephoto_set_no_new_privileges()
            let landlock = Landlock.enter()
            return (landlock, SystemCallFilter.enter())
        #else
            return (nil, false)
        #endif
    }
}
