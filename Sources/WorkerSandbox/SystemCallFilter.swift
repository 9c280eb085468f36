#if os(Linux)
    import CSandbox
    import Glibc

    /// seccomp(2): allows only the system calls that computing needs.
    enum SystemCallFilter {
        private struct Rule {
            let names: [String]
            var conditions: [scmp_arg_cmp] = []
            /// The error with which the call fails; nil lets it through.
            var failure: Int32?
        }

        /// A condition on an argument of a call: `(argument & mask) == value`.
        private static func condition(_ argument: UInt32, mask: UInt64 = .max, is value: UInt64) -> scmp_arg_cmp {
            scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
        }

        private static func condition(_ argument: UInt32, isNot value: UInt64) -> scmp_arg_cmp {
            scmp_arg_cmp(arg: argument, op: SCMP_CMP_NE, datum_a: value, datum_b: 0)
        }

        private static let isNotCode = condition(2, mask: UInt64(PROT_EXEC), is: 0)

        private static let rules = [
            // Open files.
            Rule(names: [
                "read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "lseek", "fstat", "ftruncate",
                "fsync", "fdatasync", "close", "dup",
            ]),
            Rule(names: ["fcntl"], conditions: [condition(1, is: UInt64(F_GETFD))]),
            Rule(names: ["fcntl"], conditions: [condition(1, is: UInt64(F_GETFL))]),
            Rule(names: ["fcntl"], conditions: [condition(1, is: UInt64(F_DUPFD_CLOEXEC))]),
            // Memory, except executable memory, and only such as RLIMIT_DATA counts: shared mappings and those that grow like a
            // stack are not. An old size of 0 would make another mapping of the same memory.
            Rule(names: ["brk", "munmap", "madvise", "mincore", "membarrier"]),
            Rule(names: ["mremap"], conditions: [condition(1, isNot: 0)]),
            Rule(names: ["mprotect"], conditions: [isNotCode]),
            Rule(
                names: ["mmap"],
                conditions: [
                    isNotCode,
                    condition(
                        3, mask: livephoto_mapping_type | livephoto_growing_mapping, is: livephoto_private_mapping),
                ]),
            // Threads, but no processes and no namespaces. clone3 is not allowed, because filters cannot read its flags in
            // memory; the C library then uses clone.
            Rule(
                names: ["clone"],
                conditions: [condition(0, mask: ~livephoto_optional_thread_flags, is: livephoto_thread_flags)]),
            Rule(names: [
                "set_robust_list", "rseq", "futex", "set_tid_address", "gettid", "getpid", "exit", "exit_group",
                "sched_yield", "sched_getaffinity", "sched_getparam", "sched_getscheduler", "sched_get_priority_max",
                "sched_get_priority_min",
            ]),
            Rule(names: ["prctl"], conditions: [condition(0, is: UInt64(PR_SET_NAME))]),
            // Signals to itself, such as that of abort(3).
            Rule(names: ["rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall"]),
            // Time, waiting, random numbers, and information about itself.
            Rule(names: [
                "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times",
                "poll",
                "ppoll", "getrandom", "getrusage", "uname", "sysinfo", "getuid", "geteuid", "getgid", "getegid",
            ]),
            // Libraries that try to open files get an error that they handle.
            Rule(
                names: [
                    "open", "openat", "openat2", "creat", "stat", "lstat", "newfstatat", "statx", "access",
                    "faccessat", "faccessat2", "readlink", "readlinkat",
                ], failure: EACCES),
            Rule(names: ["ioctl"], failure: ENOTTY),
        ]

        /// - Returns: false if the kernel or libseccomp does not support the filter.
        static func enter() -> Bool {
            // All other calls fail as if the kernel did not have them; the C library then uses older ones.
            guard let filter = seccomp_init(livephoto_action_fail(UInt16(ENOSYS))) else { return false }
            defer { seccomp_release(filter) }
            let own = UInt64(UInt32(bitPattern: getpid()))
            let all =
                rules + [
                    Rule(names: ["tgkill"], conditions: [condition(0, is: own)]),
                    // Limits of this process can be read, and that of memory can be lowered: raising the hard limit needs a
                    // capability.
                    Rule(names: ["prlimit64"], conditions: [condition(0, is: 0), condition(2, is: 0)]),
                    Rule(
                        names: ["prlimit64"],
                        conditions: [condition(0, is: 0), condition(1, is: UInt64(RLIMIT_DATA.rawValue))]),
                ]
            for rule in all {
                let action = rule.failure.map { livephoto_action_fail(UInt16($0)) } ?? livephoto_action_allow
                for name in rule.names {
                    let number = seccomp_syscall_resolve_name(name)
                    // Not every architecture has every call, and older versions of libseccomp lack some names.
                    guard number >= 0 else { continue }
                    guard
                        seccomp_rule_add_array(
                            filter, action, number, UInt32(rule.conditions.count), rule.conditions) == 0
                    else { return false }
                }
            }
            // Include threads that libraries have started. Loading fails if one of them cannot be included.
            guard seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0 else { return false }
            return seccomp_load(filter) == 0
        }
    }
#endif
