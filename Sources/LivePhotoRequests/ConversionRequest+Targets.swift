package import LivePhotoKit
import StillImage

extension ConversionRequest {
    /// Where the two files will stand.
    public var targets: (photo: FilePath, movie: FilePath) {
        get throws {
            let target = try publishTarget
            // As a person would write it: `beach.JPG`, not `./beach.JPG`.
            guard target.directory == "." else { return (target.photo, target.movie) }
            return (FilePath(target.photoName.string), FilePath(target.movieName.string))
        }
    }

    package var publishTarget: PublishTarget {
        get throws {
            try PublishTarget(
                directory: outputDirectory, name: name ?? clip.stem ?? "", photo: photo.flatMap(PhotoFile.format))
        }
    }

    /// Finds out before any work what keeps the clip from being read, or the pair from being published.
    ///
    /// - Throws: `LivePhotoError`.
    package func checkFiles() throws {
        try InputFileCheck.check(clip)
        try publishTarget.check(inputs: [clip] + [photo].compactMap(\.self), replacing: replacesExisting)
    }
}
