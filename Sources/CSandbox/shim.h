#pragma once

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

// Empties the set of capabilities that programs can gain: capabilities(7). Needs CAP_SETPCAP; without it, no_new_privs has
// the same effect.
static inline void livephoto_drop_bounding_set(void) {
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
}

// Removes all capabilities of this process.
static inline int livephoto_drop_capabilities(void) {
    livephoto_drop_bounding_set();
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    return (int)syscall(SYS_capset, &header, none);
}

// Whether this process, and so the one that started it, can change its user and signal the processes of others.
static inline int livephoto_can_change_user(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0}};
    const uint32_t needed = 1u << CAP_SETUID | 1u << CAP_SETGID | 1u << CAP_KILL;
    return syscall(SYS_capget, &header, data) == 0 && (data[0].effective & needed) == needed;
}

// Whether the descriptors from 0 to 31 can be used. Some file systems, such as FUSE, serve only the user who mounted them.
static inline uint32_t livephoto_usable_descriptors(void) {
    uint32_t usable = 0;
    struct stat information;
    for (int descriptor = 0; descriptor < 32; descriptor++)
        if (fstat(descriptor, &information) == 0) usable |= 1u << descriptor;
    return usable;
}

// Changes from root to another user and group, for good, unless the system or the file systems of open files refuse it.
// The system calls, because this process has one thread.
static inline int livephoto_change_user(uint32_t user) {
    const uint32_t usable = livephoto_usable_descriptors();
    if (syscall(SYS_setresuid, -1, user, -1) != 0) return -1;
    const int works = livephoto_usable_descriptors() == usable;
    if (syscall(SYS_setresuid, -1, 0, -1) != 0 || !works) return -1;
    if (syscall(SYS_setgroups, 0, NULL) != 0 || syscall(SYS_setresgid, user, user, user) != 0) return -1;
    return (int)syscall(SYS_setresuid, user, user, user);
}

// A user namespace counts the threads of its users apart from those outside.
static inline int livephoto_enter_user_namespace(void) { return (int)syscall(SYS_unshare, 0x10000000); }

static inline int livephoto_limit_threads(uint32_t count) {
    const struct rlimit limit = {count, count};
    return setrlimit(RLIMIT_NPROC, &limit);
}

// The flags of clone(2) with which glibc and musl start threads: CLONE_VM, CLONE_FS, CLONE_FILES, CLONE_SIGHAND,
// CLONE_THREAD, CLONE_SYSVSEM, CLONE_SETTLS, CLONE_PARENT_SETTID and CLONE_CHILD_CLEARTID. sched.h defines them only with
// _GNU_SOURCE.
static const uint64_t livephoto_thread_flags = 0x003d0f00;
// CLONE_DETACHED, which only musl adds, and which has no effect.
static const uint64_t livephoto_optional_thread_flags = 0x00400000;
// MAP_SHARED, MAP_PRIVATE and MAP_SHARED_VALIDATE.
static const uint64_t livephoto_mapping_type = 0xf;
static const uint64_t livephoto_private_mapping = MAP_PRIVATE;
// MAP_GROWSDOWN; sys/mman.h defines it only with _DEFAULT_SOURCE.
static const uint64_t livephoto_growing_mapping = 0x100;

// In seccomp.h, these are macros that Swift cannot import.
static const uint32_t livephoto_action_allow = SCMP_ACT_ALLOW;
static inline uint32_t livephoto_action_fail(uint16_t number) { return SCMP_ACT_ERRNO(number); }
