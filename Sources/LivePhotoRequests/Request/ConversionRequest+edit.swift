package import LivePhotoKit
package import SystemPackage

extension ConversionRequest {
    /// An edit of a Live Photo: all frames of its movie at their times and in full size, and its photo.
    ///
    /// - Parameters:
    ///   - photo: the key photo.
    ///   - movie: the paired video.
    ///   - outputDirectory: the folder of the edited pair.
    /// - Throws: `LivePhotoError`.
    package init(
        editing photo: FilePath, _ movie: FilePath, outputDirectory: FilePath
    ) throws(LivePhotoError) {
        self.init(clip: movie, outputDirectory: outputDirectory, preset: try Preset.wholeMovie())
        self.photo = photo
        name = photo.lastComponent?.stem
        isEdit = true
    }
}

extension Preset {
    /// The settings for encoding a whole movie again: all frames at their times, in full size, with little loss.
    static func wholeMovie() throws(LivePhotoError) -> Preset {
        var preset = try PresetLibrary().preset(named: PresetLibrary.defaultName)
        preset.window.start = ClipTime(text: "0%")
        preset.window.end = .part(.all)
        preset.video.frameRate = .everyFrame
        preset.video.maxSize = MaximumSize(8192, 8192) ?? preset.video.maxSize
        preset.video.crf = ConstantRateFactor(hundredths: 1800) ?? preset.video.crf
        return preset
    }
}
