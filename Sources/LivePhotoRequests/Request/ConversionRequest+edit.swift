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

    /// Sets what the edit changes.
    ///
    /// - Parameter recipe: with values that were checked.
    /// - Throws: `LivePhotoError`.
    package mutating func apply(_ recipe: EditRecipe) throws(LivePhotoError) {
        (preset, requestedTimes) = try recipe.applied(to: preset) { setting, message in
            LivePhotoError(.invalidValue, nil, "\(setting.jobKey ?? setting.key): \(message)")
        }
        self.recipe = recipe
    }
}

extension EditRecipe {
    /// Whether it changes the picture of the photo, which is then encoded again.
    package var encodesPhoto: Bool {
        get throws(LivePhotoError) {
            var request = try ConversionRequest(editing: "photo", "movie", outputDirectory: ".")
            try request.apply(self)
            return request.encodesPhoto
        }
    }

    /// The file in which the recipe is stored beside an edited pair.
    ///
    /// - Parameters:
    ///   - photo: the photo of the edited pair.
    ///   - sources: the files that were edited.
    package func adjustmentData(beside photo: FilePath, of sources: [FilePath]) -> AdjustmentData {
        let names = sources.map { $0.lastComponent?.string ?? "" }.joined(separator: " and ")
        return AdjustmentData(
            text: yaml(comments: ["The edit of \(names)." + " " + Self.hint]), beside: photo)
    }

    /// How a recipe file is used, for its first line.
    package static let hint = "Apply it to other pairs: livephoto edit PHOTO --recipe FILE --output DIR"
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
