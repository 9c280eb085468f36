import FFmpegKit
import HeifKit
import LivePhotoKit
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension LivePhotoError {
    /// The error of a file on which libav or libheif could not work.
    ///
    /// - Parameters:
    ///   - work: An infinitive with its object, such as `decode it`.
    ///   - reason: What is wrong with the file, unless the machine had too little memory or no thread.
    init(_ error: any Error, of file: FilePath, work: String, otherwise reason: String) {
        self = Self.shortage(error, of: file, work: work) ?? LivePhotoError(.unusableMedia, file, reason, cause: error)
    }

    /// The error if there was not enough memory or no thread, which says nothing about the file; otherwise nil.
    static func shortage(_ error: any Error, of file: FilePath, work: String) -> LivePhotoError? {
        if (error as? LibavError)?.isOutOfThreads == true { return .noThread(file, error) }
        let isOutOfMemory = (error as? LibavError)?.isOutOfMemory ?? (error as? HeifError)?.isOutOfMemory ?? false
        return isOutOfMemory ? LivePhotoError(.temporary, file, "not enough memory to \(work)", cause: error) : nil
    }

    /// The error if a thread could not be started. It has a code of its own, because a worker takes `temporary` for its memory
    /// limit; unless there is no memory for a thread's stack, which pthread_create(3) does not tell from a lack of threads.
    static func noThread(_ file: FilePath?, _ cause: any Error) -> LivePhotoError {
        guard hasMemoryForStack else {
            return LivePhotoError(.temporary, file, "not enough memory to start a thread", cause: cause)
        }
        return LivePhotoError(
            .temporary.refined("noThread"), file,
            "a thread could not be started; allow more processes (ulimit -u, or the limit of the container)",
            cause: cause)
    }

    private static var hasMemoryForStack: Bool {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        guard pthread_attr_init(attributes) == 0 else { return false }
        defer { pthread_attr_destroy(attributes) }
        var size = 0
        pthread_attr_getstacksize(attributes, &size)
        let stack = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard stack != MAP_FAILED else { return false }
        munmap(stack, size)
        return true
    }
}
