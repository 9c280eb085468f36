// Calls of the C library on Linux that Swift's module of it leaves out.
#pragma once

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

// <fcntl.h> declares it only for programs that define _GNU_SOURCE.
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);

// O_TMPFILE, which <fcntl.h> defines only with _GNU_SOURCE too: the kernel's number for it, with O_DIRECTORY.
static const int unnamedFileOption = 020000000 | O_DIRECTORY;
