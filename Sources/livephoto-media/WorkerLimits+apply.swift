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
        Self.set(RLIMIT_NOFILE, Self.files)
        if let processorSeconds { Self.set(RLIMIT_CPU, processorSeconds) }
        if let memory {
            Self.set(RLIMIT_DATA, memory)
        } else {
            Self.set(RLIMIT_DATA, Self.untilPlanned, isFinal: false)
        }
    }

    /// Once it is known what is to be decoded: the memory that it needs as a rule, and not more.
    func apply(_ plan: ConversionPlan) {
        guard memory == nil else { return }
        Self.set(
            RLIMIT_DATA, Self.always + plan.codedPixels * (Self.perPixel + plan.threads * Self.perPixelOfThread),
            isFinal: false)
    }

    /// What this process may take of memory; nil for any number.
    static var memoryInForce: Int? {
        var limit = rlimit()
        #if canImport(Glibc)
            guard getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else { return nil }
        #else
            guard getrlimit(RLIMIT_DATA, &limit) == 0 else { return nil }
        #endif
        return Int(exactly: limit.rlim_cur)
    }

    /// Descriptors: standard input, output and error, the clip, the photo, the pair's files, each a second time.
    private static let files = 32
    /// Bytes until the clip's picture is known, which takes decoding a few pictures: 8K with 16 bits for each sample needs
    /// less.
    private static let untilPlanned = 2 << 30
    /// Libraries, x264 for 1080p, the threads' stacks.
    private static let always = 512 << 20
    /// Bytes for each pixel: a decoder keeps up to 20 pictures, of 1.5 to 8 bytes for each pixel.
    private static let perPixel = 160
    /// Each thread decodes a picture of its own, and one waits behind it.
    private static let perPixelOfThread = 16

    #if canImport(Glibc)
        private typealias Resource = __rlimit_resource
    #else
        private typealias Resource = CInt
    #endif

    /// - Parameter isFinal: whether it can never be raised again.
    private static func set(_ resource: Resource, _ value: Int, isFinal: Bool = true) {
        #if canImport(Glibc)
            let number = __rlimit_resource_t(resource.rawValue)
        #else
            let number = resource
        #endif
        var limit = rlimit()
        guard getrlimit(number, &limit) == 0 else { return }
        // Who started this process may have set one that is lower.
        limit.rlim_cur = min(rlim_t(value), limit.rlim_max)
        if isFinal { limit.rlim_max = limit.rlim_cur }
        _ = setrlimit(number, &limit)
    }
}
