import FFmpegKit
import LivePhotoRequests
import MediaModel

extension ConversionPlan {
    /// Each one sentence, about the clip and which of its frames are shown.
    static func warnings(
        _ request: ConversionRequest, _ decoding: DecodingPlan
    ) -> [String] {
        warnings(decoding.clip)
            + (request.isLivePhoto
                ? warnings(decoding, isEdit: request.isEdit)
                    + decoding.schedule.warnings(decoding.window, requested: request.requestedTimes["duration"]) : [])
    }

    /// Each one sentence, about pictures and the photo.
    static func warnings(
        _ request: ConversionRequest, _ pictures: PicturePlan, _ photo: KeyPhotoPlan, _ userPhoto: UserPhotoDescription?
    ) -> [String] {
        let movieSize = pictures.geometry.movie.size
        return (request.isEdit ? [] : warnings(photo, movieSize: movieSize))
            + warnings(request.preset.adjustments.filter, photoSize: photo.size, movieSize: movieSize)
            + pictures.coding.notes
            + (userPhoto?.becomesJPEG == true
                ? ["the photo was a HEIC; its edited picture is a JPEG, as libheif has no encoder for HEIC here"] : [])
            + (userPhoto?.losesPictures == true
                ? ["further pictures in the photo, such as an HDR gain map or a depth map, are left out"] : [])
            + warnings(userPhoto, request.preset.metadata)
            + (userPhoto?.isTransparent == true ? [pictures.background.warning(about: "photo")] : [])
    }

    private static func warnings(_ clip: ClipDescription) -> [String] {
        var warnings = clip.pictureWarnings
        if let damage = clip.damage { warnings.append(damage.warning) }
        if clip.picture.dolbyVisionProfile == 5 {
            warnings.append(
                "the clip is Dolby Vision profile 5, which only Dolby's decoders can convert; its colours will be wrong"
            )
        }
        return warnings
    }

    private static func warnings(_ decoding: DecodingPlan, isEdit: Bool) -> [String] {
        let (clip, window) = (decoding.clip, decoding.window)
        var warnings: [String] = []
        if window.still < clip.span.start {
            warnings.append(
                "the clip's picture begins at \(clip.span.start), after the still time \(window.still); its first frame is"
                    + " the photo")
        }
        if let end = clip.endOfPicture, window.still > end {
            warnings.append(
                "the clip's picture ends at \(end), before the still time \(window.still); its last frame is the photo")
        }
        if let own = window.outsideOwnStill {
            warnings.append(
                "the still time of this Live Photo's movie, \(own), is outside the part from \(window.start) to "
                    + "\(window.end); the still time is the middle of that part, \(window.still)")
        }
        if case .source(let rate, _) = decoding.cadence, !isEdit {
            warnings.append("the clip has only \(rate); its frames are kept as they are")
        }
        if decoding.schedule.entries.count == 1 {
            warnings.append("the movie has only one frame: the Live Photo will not move")
        }
        return warnings
    }

    private static func warnings(_ photo: UserPhotoDescription?, _ mode: MetadataMode) -> [String] {
        guard let photo, mode != .discard, !photo.leftOutMetadata.isEmpty else { return [] }
        return [
            "the new picture or format of the photo cannot keep all metadata; left out: "
                + photo.leftOutMetadata.joined(separator: "; ")
        ]
    }

    private static func warnings(_ photo: KeyPhotoPlan, movieSize: PixelSize) -> [String] {
        guard !photo.isFrame, !photo.size.hasShape(of: movieSize) else { return [] }
        let shape = AspectRatio(photo.size.width, photo.size.height)
        return [
            "the photo is \(photo.size) and the movie \(movieSize): Photos crops the movie to the photo's shape, so the"
                + " picture jumps when it plays; --fill \(shape) gives the movie that shape"
        ]
    }

    private static func warnings(_ chain: FilterChain?, photoSize: PixelSize, movieSize: PixelSize) -> [String] {
        guard let names = chain?.pixelFilters, !names.isEmpty, photoSize != movieSize else { return [] }
        return [
            "the result of \(alternatives(names, "and")) depends on the number of pixels: it differs between the photo of"
                + " \(photoSize) and the movie of \(movieSize)"
        ]
    }
}
