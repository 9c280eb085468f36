import FFmpegKit
import HeifKit
import LivePhotoRequests
package import MediaModel

/// The encoders that the libraries have.
package struct AvailableEncoders: Sendable, Hashable {
    package var video: Set<VideoCodec>
    package var heic: Bool

    package init(video: Set<VideoCodec>, heic: Bool) {
        (self.video, self.heic) = (video, heic)
    }

    /// Those of the libraries that this process is linked with.
    package static var installed: AvailableEncoders {
        AvailableEncoders(
            video: Set(VideoCodec.allCases.filter { LibavVersions.hasEncoder($0.encoder) }),
            heic: HEICEncoder.isAvailable)
    }
}

/// The codec of the movie, and whether HDR stays: as requested, or in an edit as in its files.
struct OutputCoding: Sendable, Hashable {
    let codec: VideoCodec
    /// Whether pictures in PQ and HLG stay so, if their encoder can store them.
    let keepsHDR: Bool
    /// The color of an HDR movie and of its frames; nil if they are SDR.
    let hdr: ColorDescription?
    /// Whether the photo is the tone-mapped frame with a gain map for HDR.
    let makesGainMap: Bool
    /// What is lost without having been requested: each one sentence.
    let notes: [String]

    init(
        _ clip: ClipDescription, _ work: ClipWork, _ settings: Preset, _ encoders: AvailableEncoders,
        keepsPhoto: Bool
    ) throws(LivePhotoError) {
        let followsFiles = work.followsFiles
        let color = ColorDescription(of: clip.picture)
        let wasHEVC = work.keepsHEVC(clip.videoCodec)
        codec = wasHEVC && encoders.video.contains(.hevc) ? .hevc : settings.video.codec
        let needsSDR =
            work.edit?.isProcessed == true || !settings.adjustments.turnsAtMost
            || settings.motion.effect == .longExposure
        let hasRoom = codec == .hevc || !color.isHDR || work.keepsMovie
        let isRequested = !work.isEdit || work.isRequested(.hdr)
        let mode =
            isRequested ? settings.picture.hdr : followsFiles && hasRoom && !needsSDR ? HDRMode.keep : .toneMap
        guard mode != .both || !work.isEdit else {
            throw LivePhotoError(
                .invalidRequest, work.clip,
                "gets no gain map by an edit, which only keeps one that the photo has; write --hdr keep or --hdr tone-map"
            )
        }
        keepsHDR = mode == .keep && (color.isHDR || !needsSDR)
        makesGainMap = mode == .both && color.isHDR && (codec == .hevc || work.photo == nil)
        hdr = color.isHDR && (keepsHDR || makesGainMap && codec == .hevc) ? color.forHDRMovie : nil
        var notes: [String] = []
        if wasHEVC, codec != .hevc, !work.keepsMovie {
            notes.append(
                "the movie was HEVC and is now H.264, as this build of FFmpeg has no encoder for HEVC (libx265)")
        }
        if followsFiles, color.isHDR, !keepsHDR, !isRequested {
            let what = work.keepsMovie ? "the photo is" : keepsPhoto ? "is now" : "photo and movie are"
            notes.append(
                "the movie was HDR and \(what) SDR, because "
                    + (needsSDR ? "adjustments, long exposures and frame processors need SDR" : "H.264 cannot keep HDR")
            )
        }
        self.notes = notes
        guard hdr != nil || makesGainMap else { return }
        func error(_ reason: String) -> LivePhotoError {
            LivePhotoError(.invalidRequest, work.clip, "is HDR, \(reason) --hdr tone-map makes SDR of it")
        }
        guard hasRoom || makesGainMap else {
            throw error("which an H.264 movie cannot keep; write --video-codec hevc, or")
        }
        guard !needsSDR else {
            throw error("which adjustments, --stabilize and long exposures cannot keep;")
        }
    }
}

extension ClipWork {
    /// Whether codecs and HDR are those of the edited files unless requested. A preview has to be quick.
    fileprivate var followsFiles: Bool { edit.map { $0.previewSize == nil } ?? false }

    /// Whether the movie becomes HEVC because the edited one is.
    ///
    /// - Parameter codec: libavcodec's name of the clip's codec.
    func keepsHEVC(_ codec: String) -> Bool {
        followsFiles && codec == VideoCodec.hevc.rawValue && !isRequested(.videoCodec)
    }
}
