import Bytes
package import LivePhotoKit
package import SystemPackage

extension ConversionRequest {
    /// The conversion whose movie is the video of a motion photo: all frames at their times, in full size, without sound.
    ///
    /// - Parameter output: the file, for errors.
    /// - Throws: `LivePhotoError`.
    package init(encodingVideoOf movie: FilePath, to output: FilePath) throws(LivePhotoError) {
        var preset = try PresetLibrary().preset(named: PresetLibrary.defaultName)
        preset.window.start = ClipTime(text: "0%")
        preset.window.end = .part(.all)
        preset.video.frameRate = .everyFrame
        preset.video.maxSize = MaximumSize(8192, 8192) ?? preset.video.maxSize
        preset.video.crf = ConstantRateFactor(hundredths: 1800) ?? preset.video.crf
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
