// Loads FFmpeg's libraries and libheif when one of their functions is first called: the loader takes longer for them and
// for the 150 others that they need than most of our commands take for their work.
#include "CLazyLibraries.h"

#ifndef __linux__

// The program is linked with them.
const char *livephoto_load_libraries(void) { return 0; }

#else

#include <dlfcn.h>
#include <libavcodec/version.h>
#include <libavfilter/version.h>
#include <libavformat/version.h>
#include <libavutil/version.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

// The majors are those of the headers, since structures differ from one to the next.
#define QUOTED(text) #text
#define SONAME(name, major) "lib" #name ".so." QUOTED(major)
#define LIBRARY(name, major) static const char soname_##name[] = SONAME(name, major);
#define FUNCTION(library, name)
#include "functions.h"
#undef LIBRARY
#undef FUNCTION

static const struct {
    const char *soname;
    const char *name;
} functions[] = {
#define LIBRARY(name, major)
#define FUNCTION(library, name) {soname_##library, #name},
#include "functions.h"
};

enum { function_count = sizeof(functions) / sizeof(functions[0]) };

// Where each trampoline of trampolines.S leads: to the function, or to what calls `livephoto_resolve`.
extern _Atomic(void *) livephoto_targets[] __attribute__((visibility("hidden")));

// NULL where it fails; `dlerror` then says why. Any number of threads may find the same.
static void *target(size_t index) {
    void *library = dlopen(functions[index].soname, RTLD_LAZY);
    void *function = library ? dlsym(library, functions[index].name) : NULL;
    if (function) atomic_store_explicit(&livephoto_targets[index], function, memory_order_release);
    return function;
}

// Why the last call of `target` on this thread has failed.
static const char *sentence(void) {
    static _Thread_local char text[512];
    snprintf(
        text, sizeof(text), "%s; install that version of the library, or build this program for the one that is there",
        dlerror());
    return text;
}

// Called by a trampoline that has no target yet, with the place for it.
__attribute__((visibility("hidden"))) void *livephoto_resolve(_Atomic(void *) *place) {
    void *function = target((size_t)(place - livephoto_targets));
    if (function) return function;
    // As the loader does where what a program is linked with is missing; the status is EX_UNAVAILABLE.
    dprintf(STDERR_FILENO, "error: %s\n", sentence());
    _exit(69);
}

const char *livephoto_load_libraries(void) {
    for (size_t index = 0; index < function_count; index++)
        if (!target(index)) return sentence();
    return NULL;
}

#endif
