import FFmpegKit
import LivePhotoRequests
import MediaModel
import StillImage

extension ConversionPlan {
    /// Each one sentence for the user.
    package var warnings: [String] {
        clipWarnings + (work.isLivePhoto ? movieWarnings : [])
            + (work.preset.video.writesLivePhotoInfo ? lockScreenWarnings : []) + pictureWarnings + photoWarnings
            + (work.preset.audio.mode == .keep ? decoding.clip.soundWarnings : [])
            + (work.outsideMetadata?.warnings ?? []) + (work.edit?.keptMovieNotes ?? [])
    }

    private var clipWarnings: [String] {
        var warnings = decoding.clip.pictureWarnings
        if let damage = decoding.clip.damage { warnings.append(damage.warning) }
        if decoding.picture.dolbyVisionProfile == 5 {
            warnings.append(
                "the clip is Dolby Vision profile 5, which only Dolby's decoders can convert; its colours will be wrong"
            )
        }
        return warnings
    }

    private var movieWarnings: [String] {
        let window = decoding.window
        var warnings: [String] = []
        if window.still < span.start {
            warnings.append(
                "the clip's picture begins at \(span.start), after the still time \(window.still); its first frame is"
                    + " the photo")
        }
        if let end = decoding.clip.endOfPicture, window.still > end {
            warnings.append(
                "the clip's picture ends at \(end), before the still time \(window.still); its last frame is the photo")
        }
        if let own = window.outsideOwnStill {
            warnings.append(
                "the still time of this Live Photo's movie, \(own), is outside the part from \(window.start) to "
                    + "\(window.end); the still time is the middle of that part, \(window.still)")
        }
        if case .source(let rate, _) = decoding.cadence, !work.isEdit {
            let repeats = decoding.frameRepeats
            let kept =
                work.preset.video.repeatFrames == .on
                ? "no number of times that each is shown gives a rate of \(work.preset.video.frameRate)"
                : "its frames are kept as they are"
            let speed = work.preset.motion.speed.flatMap { $0.percent == 100 ? nil : $0 }
            let played = speed.map { ", which is \(rate.played(at: $0)) at \($0) times its speed" } ?? ""
            warnings.append(
                "the clip has only \(rate)\(played); \(repeats == 1 ? kept : "each frame is shown \(repeats) times")")
        }
        if schedule.entries.count == 1 {
            warnings.append("the movie has only one frame: the Live Photo will not move")
        }
        return warnings + schedule.warnings(window, requested: work.requestedTimes["duration"])
    }

    /// What a movie with a live-photo-info track lacks for the lock screen, as reported by others.
    private var lockScreenWarnings: [String] {
        let (lowestRate, leadIn) = (Int32(20), 14)
        var warnings: [String] = []
        if frameRate < .whole(lowestRate) {
            warnings.append("the movie has only \(frameRate); the lock screen is reported to need \(lowestRate) fps")
        }
        if frames.stillIndex < leadIn {
            warnings.append(
                "\(counted(frames.stillIndex, "frame precedes", plural: "frames precede")) the still time; the lock screen is"
                    + " reported to need \(leadIn)")
        }
        return warnings
    }

    private var pictureWarnings: [String] {
        var warnings: [String] = []
        if !photo.isFrame, !work.isEdit, !photoSize.hasShape(of: movieSize) {
            warnings.append(
                "the photo is \(photoSize) and the movie \(movieSize): Photos crops the movie to the photo's shape, so the"
                    + " picture jumps when it plays; --fill \(AspectRatio(photoSize.width, photoSize.height)) gives the"
                    + " movie that shape")
        }
        if let names = work.preset.adjustments.filter?.pixelFilters, !names.isEmpty, photoSize != movieSize {
            warnings.append(
                "the result of \(alternatives(names, "and")) depends on the number of pixels: it differs between the photo"
                    + " of \(photoSize) and the movie of \(movieSize)")
        }
        return warnings + pictures.coding.notes
    }

    private var photoWarnings: [String] {
        guard case .userPhoto(let photo, _, let keepsMetadata) = photo else { return [] }
        var warnings: [String] = []
        if photo.isCutOff { warnings.append("\(PhotoReader.cutOffReason); look for another copy") }
        switch photo.movie {
        case .leftOut?:
            warnings.append("the movie in the motion photo is left out; livephoto extract makes a Live Photo of it")
        case .kept?:
            warnings.append(
                "the movie in the motion photo cannot be taken out and stays in the key photo; galleries may play it")
        case nil: break
        }
        if photo.becomesJPEG {
            warnings.append(
                "the photo was a HEIC; its edited picture is a JPEG, as libheif has no encoder for HEIC here")
        }
        switch photo.lostPictures {
        case .gainMap?: warnings.append("the HDR gain map of the photo is left out")
        case .others(let keepsGainMap)?:
            let example = keepsGainMap ? "a depth map" : "an HDR gain map or a depth map"
            warnings.append("further pictures in the photo, such as \(example), are left out")
        case nil: break
        }
        if keepsMetadata, !photo.leftOutMetadata.isEmpty {
            warnings.append(
                "the new picture or format of the photo cannot keep all metadata; left out: "
                    + photo.leftOutMetadata.joined(separator: "; "))
        }
        if work.replacesPicture, work.preset.picture.framing == Framing(), photo.uncroppedSize.width > photoSize.width {
            warnings.append(
                "the photo gets the size of the movie's frames, \(photoSize) instead of \(photo.uncroppedSize)")
        }
        if photo.isTransparent { warnings.append(pictures.background.warning(about: "photo", canChange: !work.isEdit)) }
        return warnings
    }
}
