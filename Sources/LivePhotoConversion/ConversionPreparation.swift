import Bytes
import FFmpegKit
import LivePhotoKit
import QuickTime

/// An opened clip, and the plan made for it.
struct ConversionPreparation {
    let reader: ClipReader
    let userPhoto: UserPhoto?
    private let photoFile: InputFile?
    /// That of a movie that is edited, if it does not stay true.
    private let formerTransform: StillImageTransform?
    let plan: ConversionPlan
    /// The timed metadata of an edited movie that stay true.
    let timedMetadata: MovieTimedMetadata

    /// - Parameters:
    ///   - shape: the shape of the clip's picture at the still time, if it is already known.
    ///   - encoders: without one that is needed, there is no plan.
    /// - Throws: `StillShapeError` if the shape has to be given; `LivePhotoError`; `LibavError`.
    init(_ opened: OpenedClip, shape: PictureShape?, encoders: AvailableEncoders) throws {
        let work = opened.work
        (reader, userPhoto, photoFile) = (opened.reader, opened.userPhoto, opened.photoFile)
        let photo = userPhoto?.description
        let clip = shape.map { opened.clip.describing(stillPicture: opened.reader.picture.shaped($0)) } ?? opened.clip
        let decoding = try DecodingPlan(work, clip, opened.window)
        let pictures = try PicturePlan(
            decoding, userPhoto: photo, colorTable: opened.edit.colorTable, encoders: encoders)
        try pictures.check(work, encoders)
        let survey = try Survey(decoding, pictures, reader, stillCandidates: opened.stillCandidates)
        let movie = opened.movie
        let kept = opened.edit.keepsGeometry ? try movie?.timedMetadata(decoding, pictures) : nil
        timedMetadata = kept ?? movie.map { MovieTimedMetadata(videoTrackOf: $0) } ?? MovieTimedMetadata()
        let former = timedMetadata.stillValues.isEmpty ? try? movie?.stillImageTime()?.otherValues : nil
        formerTransform = former.flatMap { StillImageTransform($0) }
        // A camera's records are kept as long as they are true. If an edit makes them wrong, the motion is measured.
        let wanted = movie?.livePhotoInfoMotion ?? work.preset.video.livePhotoInfo
        let isPossible = !work.keepsMovie && work.edit?.previewSize == nil && !timedMetadata.hasLivePhotoInfo
        plan = ConversionPlan(
            decoding, pictures, survey, userPhoto: photo, ownItems: movie?.metadata ?? [],
            livePhotoInfo: isPossible ? wanted ?? .omitted : .omitted)
    }
}

extension ConversionPreparation {
    /// The transform from the frame at the still time to the photo; nil if it is not written, or not known because a user's photo
    /// cannot be decoded or shows something else.
    ///
    /// - Parameter frame: the movie's, at the still time.
    func stillTransform(_ frame: Frame) throws -> StillImageTransform? {
        let identity = StillImageTransform(dimensions: plan.movieSize)
        if plan.work.isEdit {
            // Frame and photo are edited alike.
            let showSame = plan.work.replacesPicture || formerTransform?.matrix == identity.matrix
            return formerTransform != nil && showSame ? identity : nil
        }
        guard plan.work.preset.video.stillTransform == .on else { return nil }
        guard let photoFile else { return identity }
        do {
            return try PhotoTransform.measure(photoFile, frame)
        } catch let error as LibavError where !error.isOutOfMemory {
            return nil
        } catch let error as LivePhotoError where error.code == .unusableMedia {
            return nil
        }
    }
}

extension MovieReader {
    /// What the records of the movie say; nil if it has none.
    fileprivate var livePhotoInfoMotion: LivePhotoInfoMotion? {
        livePhotoInfoTrack.map { (try? livePhotoInfo(of: $0))?.areConstant == true ? .still : .measured }
    }

    /// The timed metadata of an edited movie that stay true: they describe pictures, such as their motion, at their times.
    ///
    /// - Throws: `Errno` of pread(2).
    fileprivate func timedMetadata(_ decoding: DecodingPlan, _ pictures: PicturePlan) throws -> MovieTimedMetadata? {
        let (motion, picture, schedule) = (decoding.work.preset.motion, decoding.picture, decoding.schedule)
        guard motion.speed == nil, motion.effect == nil || motion.effect == .longExposure,
            picture.orientation == .upright, pictures.geometry.movie.size == picture.codedSize
        else { return nil }
        var kept = try MovieTimedMetadata(self, from: schedule.start, to: schedule.end)
        // The transform from the frame to the photo.
        if decoding.work.replacesPicture { kept.stillValues = [] }
        return kept
    }
}
