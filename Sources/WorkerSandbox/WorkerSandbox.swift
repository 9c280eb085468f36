#if os(Linux)
    import CSandbox
    import Glibc
#endif

/// Restricts this process to computing, as far as the system can. Open files stay usable, but no file can be opened, no
/// connection made, and no other process started, traced or signalled.
package enum WorkerSandbox {
    /// What the system supports of the sandbox.
    package struct Parts: Sendable {
        /// The kernel's version of Landlock; nil for none.
        package var landlock: Int?
        /// Whether seccomp(2) filters system calls.
        package var seccomp = false
        /// Whether the number of threads is limited. Otherwise the limits of the user and of the container apply.
        package var limitsThreads = false
    }

    /// Enters the sandbox, for good. Call this while the process has only one thread.
    ///
    /// - Parameter threads: maximum number of threads.
    package static func enter(threads: Int) -> Parts {
        var parts = Parts()
        #if os(Linux)
            let isCounted = Privileges.drop()
            parts.limitsThreads = isCounted && livephoto_limit_threads(UInt32(clamping: threads)) == 0
            // Required for Landlock and seccomp (prctl(2)).
            guard livephoto_drop_capabilities() == 0, livephoto_set_no_new_privileges() == 0 else { return parts }
            parts.landlock = Landlock.enter()
            parts.seccomp = SystemCallFilter.enter()
        #endif
        return parts
    }
}

#if os(Linux)
    /// The user of this process.
    private enum Privileges {
        /// Not used by systems, their users or containers (https://systemd.io/UIDS-GIDS).
        private static let firstUser: UInt32 = 2_000_000_000
        private static let nobody: UInt32 = 65_534

        /// Gives up the rights of root as far as possible.
        ///
        /// The limit for threads (RLIMIT_NPROC) is one for all processes of a user, and root has none. So root becomes a user
        /// that no other process has, and other users enter a user namespace, which counts its threads on its own.
        ///
        /// - Returns: whether the threads of this process are counted apart from others.
        static func drop() -> Bool {
            // Root can do so only as long as it is root.
            livephoto_drop_bounding_set()
            if geteuid() == 0, getuid() == 0, livephoto_can_change_user() != 0 {
                // Process identifiers are below 2^22.
                if livephoto_change_user(firstUser + UInt32(getpid())) == 0 { return true }
                // A user namespace may have no other users.
                _ = livephoto_change_user(nobody)
            }
            return livephoto_enter_user_namespace() == 0
        }
    }
#endif
