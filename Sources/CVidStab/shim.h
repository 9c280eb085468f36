// vid.stab's headers, 1.1 or newer, under one name for Swift. No logic of ours lives in C.
#pragma once

#include <vid.stab/libvidstab.h>

// vid.stab prints to standard error by a function with variable arguments, which Swift cannot define.
static int livephoto_vidstab_ignore(int type, const char *tag, const char *format, ...) {
    (void)type;
    (void)tag;
    (void)format;
    return 0;
}

static inline void livephoto_vidstab_silence(void) __attribute__((swift_name("silenceVidStab()"))) {
    vs_log = livephoto_vidstab_ignore;
}
