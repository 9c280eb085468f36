// Calls of the C library on Linux that Swift's module of it leaves out.
#pragma once

#include <linux/falloc.h>
#include <sys/types.h>
#include <sys/xattr.h>

// <fcntl.h> declares it only for programs that define _GNU_SOURCE.
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);
