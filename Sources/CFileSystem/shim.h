// Calls of the C library on Linux that Swift's module of it leaves out.
#pragma once

#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// <fcntl.h> declares it only for programs that define _GNU_SOURCE.
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);

// O_TMPFILE, which <fcntl.h> defines only with _GNU_SOURCE too: the kernel's number for it, with O_DIRECTORY.
static const int unnamedFileOption = 020000000 | O_DIRECTORY;

// Shares a block of the source at the start of a file: FICLONERANGE of ioctl(2), whose number is a macro with a type.
static inline int livephoto_clone_range(int target, int source, unsigned long long offset, unsigned long long length) {
    struct file_clone_range range = {.src_fd = source, .src_offset = offset, .src_length = length, .dest_offset = 0};
    return ioctl(target, FICLONERANGE, &range);
}

// renameat2(2) with RENAME_NOREPLACE, which musl does not declare, and glibc only with _GNU_SOURCE.
static inline int livephoto_move_exclusively(int folder, const char *name, int new_folder, const char *new_name) {
    return (int)syscall(SYS_renameat2, folder, name, new_folder, new_name, RENAME_NOREPLACE);
}

// Has all threads share one heap, and pieces of memory from 128 KiB on given back as soon as they are free: mallopt(3), which only
// glibc has. It starts with the same limits, but raises them with each larger piece that is freed.
static inline void livephoto_keep_heap_small(void) {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 128 << 10);
#endif
}

// malloc_trim(3), which only glibc has.
static inline void livephoto_give_back_freed_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
