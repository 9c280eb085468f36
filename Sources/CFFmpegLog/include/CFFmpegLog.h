#pragma once

/// Receives a complete line of libav's log, without its newline. `level` is one of libav's AV_LOG_ values.
/// Called on the thread that logged the line.
typedef void (*livephoto_log_handler)(int level, const char *_Nonnull source, const char *_Nonnull line);

/// Sends libav's log lines, up to `level`, to `handler` instead of to the terminal.
void livephoto_log_install(livephoto_log_handler _Nonnull handler, int level);

/// Removes this thread's lines at level AV_LOG_ERROR or below, and returns their number, and the first and the last of them
/// as `source: line`; NULL if there are none. Valid until libav logs another error on this thread.
int livephoto_log_take_errors(
    const char *_Nullable *_Nonnull first, const char *_Nullable *_Nonnull last);
