// Nettle's hash functions, and the difference between the supported versions (3.8 to 4).
#pragma once

#include <nettle/hmac.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

// Nettle 4 has no parameter for the length of a digest.
static inline void livephoto_sha256_digest(struct sha256_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
    sha256_digest(context, digest);
#else
    sha256_digest(context, SHA256_DIGEST_SIZE, digest);
#endif
}

static inline void livephoto_hmac_sha256_digest(struct hmac_sha256_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
    hmac_sha256_digest(context, digest);
#else
    hmac_sha256_digest(context, SHA256_DIGEST_SIZE, digest);
#endif
}

static inline void livephoto_sha1_digest(struct sha1_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
    sha1_digest(context, digest);
#else
    sha1_digest(context, SHA1_DIGEST_SIZE, digest);
#endif
}
