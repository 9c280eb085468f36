#pragma once

/// Receives a complete line of libav's log, without its newline. `level` is one of libav's AV_LOG_ values.
/// Called on the thread that logged the line.
typedef void (*livephoto_log_handler)(int level, const char *_Nonnull source, const char *_Nonnull line);

/// Sends libav's log lines, up to `level`, to `handler` instead of to the terminal.
void livephoto_log_install(livephoto_log_handler _Nonnull handler, int level);

/// Removes and returns this thread's last line at level AV_LOG_ERROR or below, as `source: line`; NULL if there is
/// none. Valid until libav logs another error on this thread.
const char *_Nullable livephoto_log_take_error(void);
