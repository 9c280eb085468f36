import FFmpegKit
import HeifKit
import LivePhotoKit
import SystemPackage

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
    /// limit.
    static func noThread(_ file: FilePath?, _ cause: any Error) -> LivePhotoError {
        LivePhotoError(
            .temporary.refined("noThread"), file,
            "a thread could not be started; allow more processes (ulimit -u, or the limit of the container) or more memory",
            cause: cause)
    }
}
