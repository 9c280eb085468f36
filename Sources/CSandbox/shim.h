#pragma once

#include <errno.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's interface for Landlock (landlock(7)), declared here because the headers of Debian 12 have only its first
// version. The numbers of the system calls are the same on all architectures.

struct livephoto_landlock_ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

// The kernel's version of Landlock; negative if it has none or it is disabled.
static inline int livephoto_landlock_abi(void) {
    return (int)syscall(444, NULL, (size_t)0, (uint32_t)1);
}

// A descriptor, or -1 with errno.
static inline int livephoto_landlock_create(const struct livephoto_landlock_ruleset *ruleset) {
    return (int)syscall(444, ruleset, sizeof(*ruleset), (uint32_t)0);
}

static inline int livephoto_landlock_restrict(int ruleset) {
    return (int)syscall(446, ruleset, (uint32_t)0);
}

// prctl(2) is variadic, and Swift cannot call variadic functions.
static inline int livephoto_set_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

// CLONE_THREAD; sched.h defines it only with _GNU_SOURCE.
static const uint64_t livephoto_clone_thread = 0x00010000;

// In seccomp.h, these are macros that Swift cannot import.
static const uint32_t livephoto_action_allow = SCMP_ACT_ALLOW;
static inline uint32_t livephoto_action_fail(uint16_t number) { return SCMP_ACT_ERRNO(number); }
