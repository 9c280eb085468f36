// zlib, and a macro of it that Swift does not import.
#pragma once

#include <zlib.h>

// Prepares a stream for deflated data without a header (RFC 1951).
static inline int livephoto_inflate_init(z_streamp stream) { return inflateInit2(stream, -MAX_WBITS); }
