import FFmpegKit
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
        // A core file could contain parts of the clip.
        Self.set(RLIMIT_CORE, 0)
        Self.set(RLIMIT_FSIZE, fileSize)
        Self.set(RLIMIT_NOFILE, Self.files)
        // The soft limit sends SIGXCPU, which names the cause; the hard limit sends SIGKILL.
        if let processorSeconds { Self.set(RLIMIT_CPU, processorSeconds, most: processorSeconds + 2) }
        if let memory {
            Self.set(RLIMIT_DATA, memory)
        } else {
            Self.set(
                RLIMIT_DATA, Self.untilPlanned,
                most: Self.memory(pixels: Demuxer.largestPicture, threads: Decoder.defaultThreads))
        }
    }

    /// Once it is known what is to be decoded: the memory that it needs as a rule, and not more.
    func apply(_ plan: ConversionPlan) {
        guard memory == nil else { return }
        Self.set(RLIMIT_DATA, Self.memory(pixels: plan.codedPixels, threads: plan.threads), most: nil)
    }

    private static func memory(pixels: Int, threads: Int) -> Int {
        always + pixels * (perPixel + threads * perPixelOfThread)
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
    /// Each thread decodes one picture, and another waits behind it.
    private static let perPixelOfThread = 16

    #if canImport(Glibc)
        private typealias Resource = __rlimit_resource
    #else
        private typealias Resource = CInt
    #endif

    private static func set(_ resource: Resource, _ value: Int) { set(resource, value, most: value) }

    /// - Parameter most: up to which it can be raised later; nil leaves that as it is.
    private static func set(_ resource: Resource, _ value: Int, most: Int?) {
        #if canImport(Glibc)
            let number = __rlimit_resource_t(resource.rawValue)
        #else
            let number = resource
        #endif
        var limit = rlimit()
        guard getrlimit(number, &limit) == 0 else { return }
        // Whoever started this process may have set one that is lower.
        if let most { limit.rlim_max = min(rlim_t(most), limit.rlim_max) }
        limit.rlim_cur = min(rlim_t(value), limit.rlim_max)
        _ = setrlimit(number, &limit)
    }
}
