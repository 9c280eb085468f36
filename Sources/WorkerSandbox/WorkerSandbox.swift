#if os(Linux)
    import CSandbox
#endif

/// What keeps this process from anything but computing, as far as the system can.
///
/// What is open stays usable. Nothing can be opened, connected, started, traced or signalled any more.
package enum WorkerSandbox {
    /// Locks the process in: it cannot be undone, and holds for all threads that it starts from now on. To be called while
    /// it has but one.
    ///
    /// - Returns: the version of Landlock that the kernel has, nil for none; and whether seccomp(2) filters system calls.
    package static func enter() -> (landlock: Int?, seccomp: Bool) {
        #if os(Linux)
            // Landlock and seccomp require it: programs that this process starts gain no privileges (prctl(2)).
            _ = livephoto_set_no_new_privileges()
            let landlock = Landlock.enter()
            return (landlock, SystemCallFilter.enter())
        #else
            return (nil, false)
        #endif
    }
}
