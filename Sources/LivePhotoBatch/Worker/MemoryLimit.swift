#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The most memory that this process may take, so that one clip does not take that of all others.
enum MemoryLimit {
    /// What a process writes to in memory counts, not the libraries and files that it maps: `RLIMIT_DATA` of
    /// setrlimit(2). Where that cannot be set there is no limit.
    static func apply(bytes: Int) {
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        #if canImport(Glibc)
            _ = setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
        #else
            _ = setrlimit(RLIMIT_DATA, &limit)
        #endif
    }
}
