#pragma once

/// Receives one whole line that libav logged, without its newline. `level` is one of libav's AV_LOG_ values.
/// Called on whatever thread libav was working on.
typedef void (*livephoto_log_handler)(int level, const char *_Nonnull source, const char *_Nonnull line);

/// Sends libav's log lines, up to `level`, to `handler` instead of to the terminal.
void livephoto_log_install(livephoto_log_handler _Nonnull handler, int level);
