import FFmpegKit
import HeifKit
import LivePhotoKit
import SystemPackage

extension LivePhotoError {
    /// The error of a file on which libav or libheif could not work. It is temporary if there was not enough memory, also for a
    /// thread; nothing is then known about the file.
    ///
    /// - Parameters:
    ///   - work: An infinitive with its object, such as `decode it`.
    ///   - reason: What is wrong with the file, for any other error.
    init(_ error: any Error, of file: FilePath, work: String, otherwise reason: String) {
        let isOutOfMemory = (error as? LibavError)?.isOutOfMemory ?? (error as? HeifError)?.isOutOfMemory ?? false
        self =
            isOutOfMemory
            ? LivePhotoError(.temporary, file, "not enough memory to \(work)", cause: error)
            : LivePhotoError(.unusableMedia, file, reason, cause: error)
    }
}
