import FFmpegKit
import HeifKit
import LivePhotoKit
import SystemPackage

extension LivePhotoError {
    /// A thread could not be started. Where memory is limited, that is not said to be the reason: it may be another one.
    static func noThread(_ file: FilePath?, _ cause: any Error) -> LivePhotoError {
        LivePhotoError(
            .temporary.refined("noThread"), file,
            "a thread could not be started; allow more processes (ulimit -u, or the limit of the container) or more memory",
            cause: cause)
    }

    /// The error of a file on which libav or libheif could not work. It is temporary if there was not enough memory, or no
    /// thread; nothing is then known about the file.
    ///
    /// - Parameters:
    ///   - work: An infinitive with its object, such as `decode it`.
    ///   - reason: What is wrong with the file, for any other error.
    init(_ error: any Error, of file: FilePath, work: String, otherwise reason: String) {
        if let error = error as? LibavError, error.isOutOfThreads {
            self = .noThread(file, error)
            return
        }
        let isOutOfMemory = (error as? LibavError)?.isOutOfMemory ?? (error as? HeifError)?.isOutOfMemory ?? false
        self =
            isOutOfMemory
            ? LivePhotoError(.temporary, file, "not enough memory to \(work)", cause: error)
            : LivePhotoError(.unusableMedia, file, reason, cause: error)
    }
}
