public import LivePhotoRequests
public import MediaModel

/// What is changed about a Live Photo. Photo and movie get the same changes.
public struct LivePhotoEdit: Sendable {
    /// Makes the edited picture of each frame and of the photo; nil leaves them as `adjustments` and `framing` make them.
    public var frameProcessor: LivePhotoFrameProcessor?
    /// Rotation, tone and colour.
    public var adjustments = Adjustments()
    /// Crop, in pixels of the upright photo after rotation, and shape.
    public var framing = Framing()
    /// The loudness of the sound: nil leaves it as it is, and 0 leaves it out.
    public var audioVolume: AudioVolume?
    /// Loop, bounce or long exposure, and the speed of the movie.
    public var motion = Motion()
    /// Where the edited movie begins, on the movie's timeline; nil is its beginning. A movie that is not encoded begins with the
    /// key frame at or before it, unless `startsExactly` is set.
    public var start: MediaTime?
    /// Whether a movie whose `start` is between key frames is encoded, to begin exactly there.
    public var startsExactly = false
    /// Where the edited movie ends, on the movie's timeline; nil is its end.
    public var end: MediaTime?
    /// The still time on the movie's timeline before trimming; the nearest frame is used. Nil keeps it. The
    /// photo's picture stays, unless `makesNewKeyPhoto` is set.
    public var photoTime: MediaTime?
    /// Whether the movie's frame at the still time becomes the picture of the photo, as Make Key Photo in Photos does.
    public var makesNewKeyPhoto = false
    /// The codec of a movie that is encoded again; nil keeps HEVC, and makes H.264 of any other.
    public var videoCodec: VideoCodec?
    /// What becomes of HDR; nil keeps it if the movie is HEVC, and pictures are at most cropped, turned and mirrored, and makes
    /// SDR of it otherwise.
    public var hdr: HDRMode?
    /// The format of the photo; nil keeps its own.
    public var photoFormat: KeyPhotoFormat?
    /// The identifier of the edited pair; nil for a new one.
    public var contentIdentifier: ContentIdentifier?

    /// No change.
    public init() {}
}

extension LivePhotoEdit {
    /// Changes the request for an edit without changes.
    func apply(to request: inout ConversionRequest) {
        request.preset.adjustments = adjustments
        request.preset.picture.framing = framing
        request.preset.motion = motion
        request.preset.audio.volume = audioVolume
        if let start {
            request.preset.window.start = .seconds(start)
            request.work.requestedTimes[Setting.start.key] = "\(start)"
        }
        if let end {
            request.preset.window.end = .seconds(end)
            request.work.requestedTimes[Setting.end.key] = "\(end)"
        }
        request.preset.window.still = photoTime.map { .time(.seconds($0)) }
        if let videoCodec {
            request.preset.video.codec = videoCodec
            request.work.edit?.requestedCoding.insert(Setting.videoCodec.path)
        }
        if let hdr {
            request.preset.picture.hdr = hdr
            request.work.edit?.requestedCoding.insert(Setting.hdr.path)
        }
        if let photoFormat {
            request.preset.photo.format = photoFormat
            request.work.edit?.requestedCoding.insert(Setting.photoFormat.path)
        }
        request.work.edit?.makesNewKeyPhoto = makesNewKeyPhoto
        request.work.edit?.startsExactly = startsExactly
        request.contentIdentifier = contentIdentifier
    }
}
