package import Files
import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An IP address of this machine at which a server listens.
package struct LocalAddress: Sendable {
    /// As written: `192.168.1.5`, `fd00::5`.
    package let text: String
    /// In network order: 4 or 16.
    let bytes: [UInt8]
    /// The name of the interface; nil if unknown.
    package let interface: String?

    /// As in an URL, where an IPv6 address has brackets.
    var host: String { bytes.count == 16 ? "[\(text)]" : text }

    /// Whether only this machine reaches it.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// The one that only this machine reaches.
    package static let loopback = LocalAddress(text: "127.0.0.1", bytes: [127, 0, 0, 1], interface: nil)

    private init(text: String, bytes: [UInt8], interface: String?) {
        (self.text, self.bytes, self.interface) = (text, bytes, interface)
    }

    private init?(_ address: SocketAddress, interface: String?) {
        guard let text = address.ipAddress else { return nil }
        var bytes = [UInt8](repeating: 0, count: address.protocol == .inet6 ? 16 : 4)
        guard inet_pton(address.protocol == .inet6 ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
        (self.text, self.bytes, self.interface) = (text, bytes, interface)
    }

    /// All of them, those of IPv4 first, without those that are valid on one link only.
    private static func all() -> [LocalAddress] {
        let devices = (try? System.enumerateDevices()) ?? []
        let all = devices.compactMap { device in
            device.address.flatMap { LocalAddress($0, interface: device.name) }
        }.filter { !($0.bytes.count == 16 && $0.bytes[0] == 0xFE && $0.bytes[1] & 0xC0 == 0x80) }
        return all.filter { $0.bytes.count == 4 } + all.filter { $0.bytes.count == 16 }
    }

    /// - Parameter choice: An address, or the name of an interface; nil for the address by which this machine reaches others.
    /// - Throws: `LivePhotoError` that lists what there is.
    package static func chosen(_ choice: String?) async throws(LivePhotoError) -> LocalAddress {
        let all = all()
        if let choice {
            let plain = choice == "localhost" ? "127.0.0.1" : choice.trimmingBrackets
            // As the system writes it: FD00::5 is fd00::5.
            let text = (try? SocketAddress(ipAddress: plain, port: 0))?.ipAddress ?? plain
            if let known = all.first(where: { $0.text == text || $0.interface == choice }) { return known }
            let listed = all.map { "\($0.text)\($0.interface.map { " (\($0))" } ?? "")" }.joined(separator: ", ")
            throw LivePhotoError(
                .invalidRequest, nil,
                "--address: \(choice) is no address or interface of this machine; it has \(listed)")
        }
        let route = await ofDefaultRoute()
        if let route, let known = all.first(where: { $0.text == route && !$0.isLoopback }) { return known }
        guard let first = all.first(where: { !$0.isLoopback }) else {
            throw LivePhotoError(
                .temporary, nil,
                "this machine is in no network, so no phone can reach it; connect it, or share with --address 127.0.0.1 for "
                    + "this machine alone")
        }
        return first
    }

    /// The own address that a packet to elsewhere would have. Nothing is sent: the address is one for documentation (RFC 5737).
    private static func ofDefaultRoute() async -> String? {
        guard let elsewhere = try? SocketAddress(ipAddress: "192.0.2.1", port: 9) else { return nil }
        let group = MultiThreadedEventLoopGroup.singleton
        guard let channel = try? await DatagramBootstrap(group: group).connect(to: elsewhere).get() else { return nil }
        defer { channel.close(promise: nil) }
        return channel.localAddress?.ipAddress
    }
}

extension String {
    /// Without the brackets of an address in an URL.
    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
