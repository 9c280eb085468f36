#if os(Linux)
    import CSandbox
    import Glibc

    /// seccomp(2): only the system calls that computing needs.
    enum SystemCallFilter {
        /// A condition on one of a call's arguments, as `(argument & mask) == value`.
        private struct Condition {
            let argument: UInt32
            let mask: UInt64
            let value: UInt64
        }

        private struct Rule {
            let names: [String]
            var conditions: [Condition] = []
            /// The error with which the call fails; nil lets it through.
            var failure: Int32?
        }

        private static let executable = Condition(argument: 2, mask: UInt64(PROT_EXEC), value: 0)

        private static let rules = [
            // Files that are open.
            Rule(names: [
                "read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "lseek", "fstat", "ftruncate",
                "fsync", "fdatasync", "close", "dup",
            ]),
            Rule(names: ["fcntl"], conditions: [.init(argument: 1, mask: .max, value: UInt64(F_GETFD))]),
            Rule(names: ["fcntl"], conditions: [.init(argument: 1, mask: .max, value: UInt64(F_GETFL))]),
            Rule(names: ["fcntl"], conditions: [.init(argument: 1, mask: .max, value: UInt64(F_DUPFD_CLOEXEC))]),
            // Memory, none of which becomes code.
            Rule(names: ["brk", "munmap", "mremap", "madvise", "mincore", "membarrier"]),
            Rule(names: ["mmap", "mprotect"], conditions: [executable]),
            // Threads, and no processes. clone3's flags are in memory, where no filter looks; the C library then takes clone.
            Rule(
                names: ["clone"],
                conditions: [.init(argument: 0, mask: livephoto_clone_thread, value: livephoto_clone_thread)]),
            Rule(names: [
                "set_robust_list", "rseq", "futex", "set_tid_address", "gettid", "getpid", "exit", "exit_group",
                "sched_yield", "sched_getaffinity", "sched_getparam", "sched_getscheduler", "sched_get_priority_max",
                "sched_get_priority_min",
            ]),
            Rule(names: ["prctl"], conditions: [.init(argument: 0, mask: .max, value: UInt64(PR_SET_NAME))]),
            // Signals to itself, such as abort(3)'s.
            Rule(names: ["rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall"]),
            // Time, waiting, chance, and questions about itself.
            Rule(names: [
                "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times",
                "poll",
                "ppoll", "getrandom", "getrusage", "uname", "sysinfo", "getuid", "geteuid", "getgid", "getegid",
            ]),
            // What libraries try to open is not there for them.
            Rule(
                names: [
                    "open", "openat", "openat2", "creat", "stat", "lstat", "newfstatat", "statx", "access",
                    "faccessat", "faccessat2", "readlink", "readlinkat",
                ], failure: EACCES),
            Rule(names: ["ioctl"], failure: ENOTTY),
        ]

        /// - Returns: false where the kernel, or libseccomp, has no such filter.
        static func enter() -> Bool {
            // What is not named does not exist, as far as the process can see: C libraries then take older calls.
            guard let filter = seccomp_init(livephoto_action_fail(UInt16(ENOSYS))) else { return false }
            defer { seccomp_release(filter) }
            let own = UInt64(UInt32(bitPattern: getpid()))
            let all =
                rules + [
                    Rule(names: ["tgkill"], conditions: [.init(argument: 0, mask: .max, value: own)]),
                    // Limits of this process alone.
                    Rule(names: ["prlimit64"], conditions: [.init(argument: 0, mask: .max, value: 0)]),
                ]
            for rule in all {
                let action = rule.failure.map { livephoto_action_fail(UInt16($0)) } ?? livephoto_action_allow
                let conditions = rule.conditions.map {
                    scmp_arg_cmp(
                        arg: $0.argument, op: SCMP_CMP_MASKED_EQ, datum_a: $0.mask, datum_b: $0.value)
                }
                for name in rule.names {
                    let number = seccomp_syscall_resolve_name(name)
                    // Not every machine has every call, nor this libseccomp every name.
                    guard number >= 0 else { continue }
                    guard seccomp_rule_add_array(filter, action, number, UInt32(conditions.count), conditions) == 0
                    else { return false }
                }
            }
            // For all threads, should a library have started some.
            _ = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1)
            return seccomp_load(filter) == 0
        }
    }
#endif
