package import LivePhotoKit
import StillImage

extension ConversionRequest {
    /// The pair's folder and file names. Reads the format of `photo`, so a run computes it once and passes it on.
    ///
    /// - Throws: `LivePhotoError`.
    package func target() throws -> PublishTarget {
        try PublishTarget(
            directory: outputDirectory, name: name ?? clip.stem ?? "", photo: photo.flatMap(PhotoFile.format))
    }

    /// Checks before any work that the clip can be read and the pair published.
    ///
    /// - Parameter known: the target, if it has been computed already.
    /// - Throws: `LivePhotoError`.
    @discardableResult
    package func checkedTarget(_ known: PublishTarget? = nil) throws -> PublishTarget {
        try InputFileCheck.check(clip)
        let target = try known ?? target()
        try target.check(inputs: [clip] + [photo].compactMap(\.self), replacing: replacesExisting)
        return target
    }
}
