import Bytes
import LivePhotoKit
package import SystemPackage

extension ConversionRequest {
    /// The conversion whose movie is the video of a motion photo: all frames at their times, in full size, without sound.
    ///
    /// - Parameter output: the file, for errors.
    package init(encodingVideoOf movie: FilePath, to output: FilePath) {
        var preset = Preset.wholeMovie
        preset.audio.mode = .discard
        preset.metadata = .discard
        self.init(clip: movie, outputDirectory: output.folder, preset: preset)
        isLivePhoto = false
    }
}

extension FilePath {
    /// Creates an empty file beside a movie that is not needed but that a conversion writes.
    package func withEmptyPhoto() throws(LivePhotoError) -> FilePath {
        let photo = FilePath(string + ".jpg")
        do {
            try OutputFile.write(photo) { _ in }
            return photo
        } catch {
            throw LivePhotoError(writing: photo, error)
        }
    }
}
