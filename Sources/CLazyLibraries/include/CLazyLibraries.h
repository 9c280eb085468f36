#pragma once

/// Loads FFmpeg's libraries and libheif, and looks up every function of theirs that this package calls. For who wants to
/// say that one is missing: a function that is called without it loads its library, and ends the process where it cannot.
///
/// Returns NULL, or one sentence that says what cannot be loaded; it is good until this thread's next call.
const char *_Nullable livephoto_load_libraries(void);
