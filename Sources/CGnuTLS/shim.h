// GnuTLS' headers under one name for Swift. No logic of ours lives in C.
#pragma once

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

// A macro with an argument, which Swift does not import.
static const unsigned int livephoto_p256_bits __attribute__((swift_name("bitsOfP256"))) =
    GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1);
