#define _GNU_SOURCE
#include "attempts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

// Made before the process enters the sandbox.
static void *shared;

static void report(const char *name, long result) {
    printf("%s: %s\n", name, result < 0 ? "failed" : "SUCCEEDED");
    fflush(stdout);
}

static long connect_to(int domain, int type, const void *address, socklen_t length) {
    int descriptor = socket(domain, type, 0);
    return descriptor < 0 ? -1 : connect(descriptor, address, length);
}

// A child must not go on with the tests.
static long child(long result) {
    if (result == 0) _exit(0);
    return result;
}

// A thread that shares the memory, but not all that threads share. Ends at once.
static int end(void *unused) {
    syscall(SYS_exit, 0);
    return unused != NULL;
}

static const int thread_flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;

static long start(int flags) {
    static char stack[1 << 16];
    return clone(end, stack + sizeof stack, flags, NULL);
}

static long map(int protection, int flags, int descriptor) {
    return mmap(NULL, 4096, protection, flags, descriptor, 0) == MAP_FAILED ? -1 : 0;
}

static void *wait_for_end(void *unused) {
    // Other waiting calls fail in the sandbox.
    for (;;) usleep(1000000);
    return unused;
}

// More threads than the limit, each with the smallest stack. They end with the process.
static long many_threads(void) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16384);
    pthread_t thread;
    for (int count = 0; count < 1000; count++)
        if (pthread_create(&thread, &attributes, wait_for_end, NULL)) return -1;
    return 0;
}

void prepare(void) {
    struct rlimit limit = {64, 64};
    setrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max = 1 << 30;
    setrlimit(RLIMIT_DATA, &limit);
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

void try_many_threads(void) { report("threads without end", many_threads()); }

void try_forbidden(void) {
    const char *file = "/etc/passwd";
    struct sockaddr_in port = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_un local = {.sun_family = AF_UNIX, .sun_path = "/run/none"};
    struct { uint64_t flags, mode, resolve; } how = {0};
    char *none[] = {NULL};
    char byte = 0;
    struct iovec part = {&byte, 1};
    pid_t parent = getppid();

    report("open", open(file, O_RDONLY));
    report("open for writing", open("/dev/null", O_WRONLY));
    report("openat", syscall(SYS_openat, AT_FDCWD, file, O_RDONLY, 0));
    report("openat2", syscall(437, AT_FDCWD, file, &how, sizeof how));
    report("create", open("probe", O_CREAT | O_WRONLY, 0600));
    report("open_by_handle_at", syscall(SYS_open_by_handle_at, AT_FDCWD, &how, 0));
    report("memfd_create", syscall(SYS_memfd_create, "probe", 0));
    report("stat", syscall(SYS_newfstatat, AT_FDCWD, file, &(struct stat){0}, 0));
    report("readlink", syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", &byte, 1));
    report("mkdir", mkdir("probe-folder", 0700));
    report("rename", rename("none", "other"));
    report("unlink", unlink("none"));
    report("symlink", symlink(file, "probe-link"));
    report("chmod", chmod(".", 0700));
    report("chdir", chdir("/"));
    report("chroot", chroot("/"));
    report("mount", syscall(SYS_mount, "none", ".", "tmpfs", 0, NULL));
    report("umount", syscall(SYS_umount2, "none", 0));
    report("socket", socket(AF_INET, SOCK_STREAM, 0));
    report("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}));
    report("connect over TCP", connect_to(AF_INET, SOCK_STREAM, &port, sizeof port));
    report("connect over UDP", connect_to(AF_INET, SOCK_DGRAM, &port, sizeof port));
    report("connect over a Unix socket", connect_to(AF_UNIX, SOCK_STREAM, &local, sizeof local));
    report("execve", execve("/bin/true", none, none));
    report("execveat", syscall(SYS_execveat, AT_FDCWD, "/bin/true", none, none, 0));
    report("fork", child(fork()));
    report("vfork", child(syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL, NULL, NULL, NULL)));
    report("clone3", child(syscall(435, &how, 0)));
    report("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    report("ptrace of the parent", ptrace(PTRACE_ATTACH, parent, NULL, NULL));
    report("kill", kill(parent, 0));
    report("kill of all", kill(-1, 0));
    report("tgkill of another", syscall(SYS_tgkill, parent, parent, 0));
    report("pidfd_open", syscall(434, parent, 0));
    report("process_vm_readv", syscall(SYS_process_vm_readv, parent, &part, 1, &part, 1, 0));
    report("process_vm_writev", syscall(SYS_process_vm_writev, parent, &part, 1, &part, 1, 0));
    report("limits of another", syscall(SYS_prlimit64, parent, RLIMIT_CORE, NULL, &(struct rlimit){0}));
    report("raising a limit", setrlimit(RLIMIT_NOFILE, &(struct rlimit){65, 65}));
    report("lowering a limit that is final", setrlimit(RLIMIT_NOFILE, &(struct rlimit){63, 63}));
    report("raising the limit of memory", setrlimit(RLIMIT_DATA, &(struct rlimit){2l << 30, 2l << 30}));
    report("io_uring_setup", syscall(425, 1, &(char[256]){0}));
    report("bpf", syscall(SYS_bpf, 0, &(char[128]){0}, 128));
    report("perf_event_open", syscall(SYS_perf_event_open, &(char[128]){0}, 0, -1, -1, 0));
    report("userfaultfd", syscall(SYS_userfaultfd, 0));
    report("add_key", syscall(SYS_add_key, "user", "probe", "x", 1, -3));
    report("keyctl", syscall(SYS_keyctl, 0, -3, 1));
    report("init_module", syscall(SYS_init_module, &byte, 0, ""));
    report("finit_module", syscall(SYS_finit_module, 0, "", 0));
    report("unshare", unshare(CLONE_NEWUSER));
    report("setns", setns(0, 0));
    report("setuid", syscall(SYS_setuid, getuid()));
    report("a thread in another namespace", start(thread_flags | CLONE_NEWUTS));
    report("a thread with files of its own", start(thread_flags & ~CLONE_FILES));
    report("a thread without a thread pointer", start(thread_flags));
    report("clone into a user namespace", child(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL)));
    report("unshare of files", unshare(CLONE_FILES));
    report("capset", syscall(SYS_capset, &how, NULL));
    report("setresuid", syscall(SYS_setresuid, 0, 0, 0));
    report("shared memory", map(PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1));
    report("shared memory, validated", map(PROT_READ | PROT_WRITE, MAP_SHARED_VALIDATE | MAP_ANONYMOUS, -1));
    report("shared memory of a file", map(PROT_READ | PROT_WRITE, MAP_SHARED, 3));
    report("memory that grows like a stack", map(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1));
    report("the same memory at another place", mremap(shared, 0, 4096, MREMAP_MAYMOVE) == MAP_FAILED ? -1 : 0);
    void *large = mmap(NULL, 2l << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    report("memory beyond the limit", large == MAP_FAILED ? -1 : 0);
    large = mmap(NULL, 2l << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    report("memory that becomes writable beyond the limit",
           large == MAP_FAILED ? -1 : mprotect(large, 2l << 30, PROT_READ | PROT_WRITE));
    report("memory beyond the limit by brk", sbrk(2l << 30) == (void *)-1 ? -1 : 0);
    report("shmget", syscall(SYS_shmget, 0, 4096, 01600));
    report("msgget", syscall(SYS_msgget, 0, 01600));
    report("inotify_init", syscall(SYS_inotify_init1, 0));
    report("another seccomp filter", syscall(SYS_seccomp, 1, 0, &how));
    report("leaving no_new_privs", prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0));
    report("ioctl", syscall(SYS_ioctl, 1, 0x5413, &(char[64]){0}));
    void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    report("memory that is code", code == MAP_FAILED ? -1 : 0);
    void *data = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    report("memory that becomes code", data == MAP_FAILED ? -1 : mprotect(data, 4096, PROT_READ | PROT_EXEC));
}

void run_without(int landlock, int seccomp, char *const *arguments) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return;
    if (landlock && seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), 444, 0)) return;
    if (seccomp && (seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp), 0) ||
                    seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
                                     SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP))))
        return;
    if (seccomp_load(filter) == 0) execv(arguments[0], arguments);
}

static void *work(void *number) {
    // As decoders do: memory of its own, as much as it likes, and a while of it.
    size_t size = 16 << 20;
    char *memory = malloc(size);
    if (!memory) return NULL;
    memset(memory, *(int *)number, size);
    int sum = memory[size / 2];
    free(memory);
    usleep(1000);
    return (void *)(intptr_t)(sum == *(int *)number);
}

void try_allowed(void) {
    pthread_t threads[8];
    int numbers[8];
    int good = 0;
    for (int index = 0; index < 8; index++) {
        numbers[index] = index + 1;
        if (pthread_create(&threads[index], NULL, work, &numbers[index])) return report("threads and memory", -1);
    }
    for (int index = 0; index < 8; index++) {
        void *result = NULL;
        pthread_join(threads[index], &result);
        good += result != NULL;
    }
    report("threads and memory", good == 8 ? 0 : -1);
    char bytes[8];
    report("lowering the limit of memory", setrlimit(RLIMIT_DATA, &(struct rlimit){1l << 29, 1l << 29}));
    report("reading a limit", getrlimit(RLIMIT_NOFILE, &(struct rlimit){0}));
    report("reading what is open", pread(0, bytes, sizeof bytes, 0));
    report("writing what is open", pwrite(3, "new", 3, 0) == 3 ? ftruncate(3, 3) : -1);
    report("waiting", usleep(1000));
    report("chance", syscall(SYS_getrandom, bytes, sizeof bytes, 0));
}
