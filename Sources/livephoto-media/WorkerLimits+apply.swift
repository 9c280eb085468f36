import LivePhotoConversion

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension WorkerLimits {
    /// Sets them for this process: setrlimit(2). What cannot be set has no limit.
    func apply() {
        // A core file would be a copy of the clip, where nobody looks for one.
        Self.set(RLIMIT_CORE, 0)
        Self.set(RLIMIT_FSIZE, fileSize)
        if let memory { Self.set(RLIMIT_DATA, memory) }
        if let processorSeconds { Self.set(RLIMIT_CPU, processorSeconds) }
    }

    #if canImport(Glibc)
        private typealias Resource = __rlimit_resource
    #else
        private typealias Resource = CInt
    #endif

    private static func set(_ resource: Resource, _ value: Int) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        #if canImport(Glibc)
            _ = setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        #else
            _ = setrlimit(resource, &limit)
        #endif
    }
}
