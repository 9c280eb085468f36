#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The limit of the address space of this process: getrlimit(2), `RLIMIT_AS`, which `ulimit -v` sets.
package enum AddressSpace {
    /// With less, libdispatch gets no threads and waits for them forever.
    private static let needed = 384 << 20

    package static var isEnough: Bool {
        var limits = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
        #else
            let resource = RLIMIT_AS
        #endif
        guard getrlimit(resource, &limits) == 0, limits.rlim_cur < rlim_t(Int.max) else { return true }
        return limits.rlim_cur >= rlim_t(needed)
    }

    package static var tooLittleError: LivePhotoError {
        LivePhotoError(
            .temporary, nil, "the limit of address space (ulimit -v) is below \(needed >> 10) KB; raise it")
    }
}
