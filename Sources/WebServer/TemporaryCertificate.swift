import CGnuTLS
import Digests
import MediaModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A self-signed certificate for one run. Comparing its fingerprint shows that no other machine is in between.
struct TemporaryCertificate: Sendable {
    /// SHA-256 of the certificate, in hexadecimal.
    let fingerprint: String
    /// In DER.
    let certificate: [UInt8]
    /// Its private key, in DER.
    let key: [UInt8]

    private static let name = "livephoto share"
    private static let day = time_t(24 * 60 * 60)

    /// - Throws: `GnuTLSError`, which does not occur with the parameters used.
    init(for address: LocalAddress) throws(GnuTLSError) {
        let key = try PrivateKey()
        let certificate = try CertificateInProgress()
        let object = certificate.object
        func set(_ status: CInt, _ call: String) throws(GnuTLSError) { try GnuTLSError.check(status, call) }
        try set(gnutls_x509_crt_set_version(object, 3), "gnutls_x509_crt_set_version")
        // A positive number.
        let serial = [UInt8.random(in: 1...0x7F)] + (0..<15).map { _ in UInt8.random(in: .min ... .max) }
        try set(gnutls_x509_crt_set_serial(object, serial, serial.count), "gnutls_x509_crt_set_serial")
        let now = time(nil)
        // Clocks differ.
        try set(gnutls_x509_crt_set_activation_time(object, now - Self.day), "gnutls_x509_crt_set_activation_time")
        try set(gnutls_x509_crt_set_expiration_time(object, now + 30 * Self.day), "gnutls_x509_crt_set_expiration_time")
        try set(
            gnutls_x509_crt_set_dn_by_oid(
                object, GNUTLS_OID_X520_COMMON_NAME, 0, Self.name, UInt32(Self.name.utf8.count)),
            "gnutls_x509_crt_set_dn_by_oid")
        try set(
            gnutls_x509_crt_set_subject_alt_name(
                object, GNUTLS_SAN_IPADDRESS, address.bytes, UInt32(address.bytes.count), UInt32(GNUTLS_FSAN_SET)),
            "gnutls_x509_crt_set_subject_alt_name")
        try set(gnutls_x509_crt_set_basic_constraints(object, 0, -1), "gnutls_x509_crt_set_basic_constraints")
        try set(
            gnutls_x509_crt_set_key_purpose_oid(object, GNUTLS_KP_TLS_WWW_SERVER, 0),
            "gnutls_x509_crt_set_key_purpose_oid")
        try set(gnutls_x509_crt_set_key(object, key.object), "gnutls_x509_crt_set_key")
        try set(gnutls_x509_crt_sign2(object, object, key.object, GNUTLS_DIG_SHA256, 0), "gnutls_x509_crt_sign2")
        self.certificate = try Self.bytes("gnutls_x509_crt_export2") {
            gnutls_x509_crt_export2(object, GNUTLS_X509_FMT_DER, $0)
        }
        self.key = try Self.bytes("gnutls_x509_privkey_export2") {
            gnutls_x509_privkey_export2(key.object, GNUTLS_X509_FMT_DER, $0)
        }
        fingerprint = hexadecimal(Digest.sha256(self.certificate))
    }

    private static func bytes(
        _ call: String, _ export: (UnsafeMutablePointer<gnutls_datum_t>) -> CInt
    ) throws(GnuTLSError) -> [UInt8] {
        var datum = gnutls_datum_t()
        try GnuTLSError.check(export(&datum), call)
        defer { free(datum.data) }
        return Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
    }
}

/// Owns a new key for ECDSA on P-256.
private final class PrivateKey {
    let object: gnutls_x509_privkey_t

    init() throws(GnuTLSError) {
        object = try GnuTLSError.made(by: "gnutls_x509_privkey_init") { gnutls_x509_privkey_init($0) }
        try GnuTLSError.check(
            gnutls_x509_privkey_generate(object, GNUTLS_PK_ECDSA, bitsOfP256, 0), "gnutls_x509_privkey_generate")
    }

    deinit { gnutls_x509_privkey_deinit(object) }
}

/// Owns a certificate that is not complete.
private final class CertificateInProgress {
    let object: gnutls_x509_crt_t

    init() throws(GnuTLSError) {
        object = try GnuTLSError.made(by: "gnutls_x509_crt_init") { gnutls_x509_crt_init($0) }
    }

    deinit { gnutls_x509_crt_deinit(object) }
}
