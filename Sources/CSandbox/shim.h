#pragma once

#include <errno.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's interface of Landlock (landlock(7)), of which Debian 12's headers know the beginning. Numbers of the calls
// are the same on all machines.

struct livephoto_landlock_ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

// The version of Landlock that the kernel has; negative where it has none, or it is switched off.
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

// prctl(2) takes as many arguments as it likes, which Swift does not call.
static inline int livephoto_set_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
static inline int livephoto_has_no_new_privileges(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1; }

// sched.h names it only for GNU sources.
static const uint64_t livephoto_clone_thread = 0x00010000;

// seccomp.h has these as macros of casts.
static const uint32_t livephoto_action_allow = SCMP_ACT_ALLOW;
static inline uint32_t livephoto_action_fail(uint16_t number) { return SCMP_ACT_ERRNO(number); }
