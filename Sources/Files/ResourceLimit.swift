#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A limit of this process: getrlimit(2).
enum ResourceLimit {
    case openFiles, addressSpace

    /// The soft limit; nil for none.
    var soft: Int? {
        // No limit is the largest number.
        both.flatMap { $0.rlim_cur < rlim_t(Int.max) ? Int($0.rlim_cur) : nil }
    }

    /// Raises the soft limit to the hard one, as far as it is of use.
    func raise(toAtMost highest: Int) {
        guard var limits = both else { return }
        let most = min(limits.rlim_max, rlim_t(highest))
        guard limits.rlim_cur < most else { return }
        limits.rlim_cur = most
        _ = setrlimit(resource, &limits)
    }

    private var both: rlimit? {
        var limits = rlimit()
        return getrlimit(resource, &limits) == 0 ? limits : nil
    }

    #if canImport(Glibc)
        private var resource: __rlimit_resource_t {
            switch self {
            case .openFiles: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            case .addressSpace: __rlimit_resource_t(RLIMIT_AS.rawValue)
            }
        }
    #else
        private var resource: CInt {
            switch self {
            case .openFiles: RLIMIT_NOFILE
            case .addressSpace: RLIMIT_AS
            }
        }
    #endif
}

/// The limit of the address space of this process, which `ulimit -v` sets.
enum AddressSpace {
    /// Bytes. With less, libdispatch gets no threads and waits for them forever.
    private static let needed = 384 << 20

    static var isEnough: Bool { ResourceLimit.addressSpace.soft.map { $0 >= needed } ?? true }

    static var tooLittle: String { "the limit of address space (ulimit -v) is below \(needed >> 10) KB; raise it" }
}
