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
    /// Sets the limits for this process (setrlimit(2)), as far as the system supports them. In the sandbox, none can be raised
    /// beyond its hard limit.
    ///
    /// - Parameter makesPlan: whether the task makes a plan, from which the final limit of memory follows.
    func apply(makesPlan: Bool) {
        // A core file could contain parts of the clip.
        Self.set(RLIMIT_CORE, 0, hard: 0)
        Self.set(RLIMIT_FSIZE, fileSize, hard: fileSize)
        Self.set(RLIMIT_NOFILE, Self.files, hard: Self.files)
        // Not part of RLIMIT_DATA.
        Self.set(RLIMIT_STACK, Self.stack, hard: Self.stack)
        // The soft limit sends SIGXCPU, which names the cause; the hard limit sends SIGKILL.
        if let processorSeconds { Self.set(RLIMIT_CPU, processorSeconds, hard: processorSeconds + 2) }
        if let memory {
            Self.set(RLIMIT_DATA, memory, hard: memory)
        } else {
            let most = Self.memory(pixels: Demuxer.largestPicture, threads: Decoder.defaultThreads)
            Self.set(RLIMIT_DATA, Self.beforePlan, hard: makesPlan ? most : Self.beforePlan)
        }
    }

    /// Limits memory to what decoding and encoding by these plans usually need at the same time.
    func apply(_ plans: [ConversionPlan]) {
        guard memory == nil else { return }
        let needed = plans.reduce(0) { needed, plan in
            let photo = plan.encodedPhotoPixels * Self.perPhotoPixel
            let movie = plan.movieSize.width * plan.movieSize.height
            return needed + Self.memory(pixels: plan.codedPixels, threads: plan.processingThreads)
                + plan.encodersAtOnce * movie * Self.perEncodedPixel(plan) + photo
        }
        // A clip whose pictures change their size may need a second plan.
        Self.set(RLIMIT_DATA, needed, hard: max(needed, Self.beforePlan))
    }

    private static func memory(pixels: Int, threads: Int) -> Int {
        baseline + pixels * (perPixel + threads * perPixelAndThread)
    }

    /// Memory limit of this process in bytes; nil for none.
    static var currentMemory: Int? { current(RLIMIT_DATA).flatMap { Int(exactly: $0.rlim_cur) } }

    /// Number of descriptors: standard input, output and error, and for each pair the clip, the photo and its files, each twice.
    private static let files = 64
    /// Bytes of the main thread's stack.
    private static let stack = 8 << 20
    /// Threads: libraries start a few for each core.
    static let threads = 128 + 16 * Decoder.defaultThreads
    /// Bytes for decoding the first pictures, before their size is known. 8K with 16 bits per sample needs less.
    private static let beforePlan = 2 << 30
    /// Bytes for libraries, the threads' stacks, and small pictures.
    private static let baseline = 512 << 20
    /// A decoder keeps up to 20 pictures of 1.5 to 8 bytes per pixel.
    private static let perPixel = 160
    /// An encoder's reference frames and lookahead with the slowest presets, and the pictures that wait for it.
    private static func perEncodedPixel(_ plan: ConversionPlan) -> Int { plan.encoder.codec == .h264 ? 192 : 384 }
    /// Of a user's photo that is decoded, changed in several steps and encoded; x265 alone needs 20.
    private static let perPhotoPixel = 64
    /// Each thread decodes one picture while another one waits.
    private static let perPixelAndThread = 16

    #if canImport(Glibc)
        private typealias Resource = __rlimit_resource
        private static func number(_ resource: Resource) -> __rlimit_resource_t { .init(resource.rawValue) }
    #else
        private typealias Resource = CInt
        private static func number(_ resource: Resource) -> CInt { resource }
    #endif

    private static func current(_ resource: Resource) -> rlimit? {
        var limit = rlimit()
        return getrlimit(number(resource), &limit) == 0 ? limit : nil
    }

    /// - Parameter hard: the hard limit, up to which the limit can be raised later.
    private static func set(_ resource: Resource, _ value: Int, hard: Int) {
        guard var limit = current(resource) else { return }
        // The parent process may have set a lower hard limit.
        limit.rlim_max = min(rlim_t(hard), limit.rlim_max)
        limit.rlim_cur = min(rlim_t(value), limit.rlim_max)
        _ = setrlimit(number(resource), &limit)
    }
}
