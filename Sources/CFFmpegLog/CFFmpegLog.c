// libav's log callback takes a va_list, which Swift cannot receive. This turns its arguments into lines.
#include "CFFmpegLog.h"

#include <libavutil/log.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static _Atomic(livephoto_log_handler) current_handler;
static atomic_int current_level = AV_LOG_ERROR;

// libav writes some lines in pieces; each thread collects its own.
static _Thread_local char pending[1024];
static _Thread_local size_t pending_length;

// libav logs the reason of an error on the thread whose call failed.
static _Thread_local char first_error[sizeof(pending) + 64];
static _Thread_local char last_error[sizeof(first_error)];
static _Thread_local int error_count;

static void log_piece(void *object, int level, const char *format, va_list arguments) {
    livephoto_log_handler handler = atomic_load(&current_handler);
    if (!handler || level > atomic_load(&current_level)) return;

    int written = vsnprintf(pending + pending_length, sizeof(pending) - pending_length, format, arguments);
    if (written < 0) return;
    pending_length += (size_t)written;
    if (pending_length >= sizeof(pending)) pending_length = sizeof(pending) - 1;

    int is_complete = pending_length > 0 && pending[pending_length - 1] == '\n';
    if (!is_complete && pending_length < sizeof(pending) - 1) return;
    while (pending_length > 0 && (pending[pending_length - 1] == '\n' || pending[pending_length - 1] == '\r'))
        pending[--pending_length] = 0;
    const AVClass *class = object ? *(const AVClass **)object : NULL;
    const char *source = class && class->item_name ? class->item_name(object) : "libav";
    if (!source) source = "libav";
    if (pending_length > 0 && level <= AV_LOG_ERROR) {
        snprintf(last_error, sizeof(last_error), "%s: %s", source, pending);
        if (error_count++ == 0) memcpy(first_error, last_error, sizeof(first_error));
    }
    if (pending_length > 0) handler(level, source, pending);
    pending_length = 0;
    pending[0] = 0;
}

void livephoto_log_install(livephoto_log_handler handler, int level) {
    atomic_store(&current_level, level);
    atomic_store(&current_handler, handler);
    av_log_set_level(level);
    av_log_set_callback(log_piece);
}

int livephoto_log_take_errors(const char **first, const char **last) {
    int count = error_count;
    *first = count > 0 ? first_error : NULL;
    *last = count > 0 ? last_error : NULL;
    error_count = 0;
    return count;
}
