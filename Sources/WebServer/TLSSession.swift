import CGnuTLS

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A call of GnuTLS that failed, with its code.
struct GnuTLSError: Error, CustomStringConvertible {
    let call: String
    let code: CInt

    var description: String { "\(call): \(gnutls_strerror(code).map { String(cString: $0) } ?? "error \(code)")" }

    static func check(_ code: CInt, _ call: String) throws(GnuTLSError) {
        guard code >= 0 else { throw GnuTLSError(call: call, code: code) }
    }

    /// The object that a function makes, which the caller has to free.
    static func made<Object>(
        by call: String, _ make: (UnsafeMutablePointer<Object?>) -> CInt
    ) throws(GnuTLSError) -> Object {
        var object: Object?
        try check(make(&object), call)
        guard let object else { throw GnuTLSError(call: call, code: 0) }
        return object
    }
}

/// The server's side of an encrypted connection, TLS 1.2 or 1.3, between bytes in memory. For one thread at a time.
final class TLSSession {
    enum Answer {
        /// Decrypted bytes; none while the handshake goes on.
        case bytes([UInt8])
        /// The client has closed the connection.
        case closed
    }

    /// Encrypted bytes that came and have not been decrypted, and those to be sent. GnuTLS has a pointer to this.
    private final class Transport {
        var received: [UInt8] = []
        /// Of `received`, what GnuTLS has taken.
        var taken = 0
        var sent: [UInt8] = []
    }

    private let session: gnutls_session_t
    private let credentials: TLSCredentials
    private let transport = Transport()
    private var isOpen = false

    /// The longest record (RFC 8446, 5.1).
    private static let recordSize = 1 << 14
    private static let protocols = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

    /// - Throws: `GnuTLSError`, which does not occur with the parameters used.
    init(_ certificate: TemporaryCertificate) throws(GnuTLSError) {
        credentials = try TLSCredentials(certificate)
        let flags = GNUTLS_SERVER.rawValue | GNUTLS_NONBLOCK.rawValue | GNUTLS_NO_SIGNAL.rawValue
        session = try GnuTLSError.made(by: "gnutls_init") { gnutls_init($0, flags) }
        try GnuTLSError.check(gnutls_priority_set_direct(session, Self.protocols, nil), "gnutls_priority_set_direct")
        try GnuTLSError.check(
            gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials.object)),
            "gnutls_credentials_set")
        // The session is freed before the transport.
        gnutls_transport_set_ptr(session, Unmanaged.passUnretained(transport).toOpaque())
        gnutls_transport_set_push_function(session) { pointer, data, count in
            guard let pointer, let data else { return -1 }
            let bytes = UnsafeRawBufferPointer(start: data, count: count)
            Unmanaged<Transport>.fromOpaque(pointer).takeUnretainedValue().sent.append(contentsOf: bytes)
            return count
        }
        gnutls_transport_set_pull_function(session) { pointer, data, count in
            guard let pointer, let data else { return -1 }
            let transport = Unmanaged<Transport>.fromOpaque(pointer).takeUnretainedValue()
            let part = transport.received[transport.taken...].prefix(count)
            guard !part.isEmpty else {
                errno = EAGAIN
                return -1
            }
            UnsafeMutableRawBufferPointer(start: data, count: count).copyBytes(from: part)
            transport.taken += part.count
            return part.count
        }
        // Asked before a pull that may wait; none does.
        gnutls_transport_set_pull_timeout_function(session) { _, _ in 1 }
    }

    deinit { gnutls_deinit(session) }

    /// Takes encrypted bytes of the client. Afterwards, `takeOutput` may have some for it.
    ///
    /// - Throws: `GnuTLSError` for what is no TLS, or for a failed handshake; an alert for the client is in the output.
    func receive(_ bytes: some Sequence<UInt8>) throws(GnuTLSError) -> Answer {
        transport.received.removeFirst(transport.taken)
        transport.taken = 0
        transport.received.append(contentsOf: bytes)
        if !isOpen {
            var status = GNUTLS_E_AGAIN
            repeat {
                status = gnutls_handshake(session)
            } while status != GNUTLS_E_SUCCESS && status != GNUTLS_E_AGAIN && gnutls_error_is_fatal(status) == 0
            guard status == GNUTLS_E_SUCCESS else {
                guard gnutls_error_is_fatal(status) == 0 else {
                    gnutls_alert_send_appropriate(session, status)
                    throw GnuTLSError(call: "gnutls_handshake", code: status)
                }
                return .bytes([])
            }
            isOpen = true
        }
        var decrypted: [UInt8] = []
        while true {
            var count = 0
            let record = [UInt8](unsafeUninitializedCapacity: Self.recordSize) { buffer, initialized in
                count = gnutls_record_recv(session, buffer.baseAddress, buffer.count)
                initialized = max(count, 0)
            }
            if count > 0 {
                decrypted += record
            } else if count == 0 {
                return decrypted.isEmpty ? .closed : .bytes(decrypted)
            } else if count == Int(GNUTLS_E_AGAIN) {
                return .bytes(decrypted)
            } else if count == Int(GNUTLS_E_REHANDSHAKE) || gnutls_error_is_fatal(CInt(count)) != 0 {
                throw GnuTLSError(call: "gnutls_record_recv", code: CInt(count))
            }
        }
    }

    /// Encrypts bytes for the client, which `takeOutput` then has.
    ///
    /// - Throws: `GnuTLSError` before the handshake and after an error.
    func send(_ bytes: UnsafeRawBufferPointer) throws(GnuTLSError) {
        var place = 0
        while place < bytes.count {
            let part = UnsafeRawBufferPointer(rebasing: bytes[place..<min(place + Self.recordSize, bytes.count)])
            let count = gnutls_record_send(session, part.baseAddress, part.count)
            guard count > 0 else { throw GnuTLSError(call: "gnutls_record_send", code: CInt(count)) }
            place += count
        }
    }

    /// Says that nothing more follows.
    func end() {
        if isOpen { gnutls_bye(session, GNUTLS_SHUT_WR) }
    }

    /// The encrypted bytes for the client.
    func takeOutput() -> [UInt8] {
        defer { transport.sent.removeAll() }
        return transport.sent
    }
}

/// Owns the certificate and the key as a session needs them.
private final class TLSCredentials {
    let object: gnutls_certificate_credentials_t

    init(_ certificate: TemporaryCertificate) throws(GnuTLSError) {
        object = try GnuTLSError.made(by: "gnutls_certificate_allocate_credentials") {
            gnutls_certificate_allocate_credentials($0)
        }
        var bytes = (certificate: certificate.certificate, key: certificate.key)
        let status = bytes.certificate.withUnsafeMutableBufferPointer { certificate in
            bytes.key.withUnsafeMutableBufferPointer { key in
                var certificate = gnutls_datum_t(data: certificate.baseAddress, size: UInt32(certificate.count))
                var key = gnutls_datum_t(data: key.baseAddress, size: UInt32(key.count))
                return gnutls_certificate_set_x509_key_mem(object, &certificate, &key, GNUTLS_X509_FMT_DER)
            }
        }
        try GnuTLSError.check(status, "gnutls_certificate_set_x509_key_mem")
    }

    deinit { gnutls_certificate_free_credentials(object) }
}
