import CFFmpeg
package import MediaModel

/// Owns a reference to an AVFrame: a decoded picture, or a piece of sound.
///
/// Invariant for `@unchecked Sendable`: a frame never changes once its initializer has returned. Fields are only
/// read, the data is shared by libav's reference counts, which are atomic, and a change (of the time stamp, say)
/// makes another frame.
package final class Frame: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVFrame>

    /// Takes over the contents of `source`, which is left empty.
    init(moving source: UnsafeMutablePointer<AVFrame>) throws(LibavError) {
        pointer = try allocated(av_frame_alloc(), "av_frame_alloc")
        av_frame_move_ref(pointer, source)
    }

    private init(_ pointer: UnsafeMutablePointer<AVFrame>) {
        self.pointer = pointer
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    /// An empty frame, to be filled before anyone else sees it.
    init() throws(LibavError) {
        pointer = try allocated(av_frame_alloc(), "av_frame_alloc")
    }

    /// When the frame is shown, in the clock that it came with; libav's best guess where the clip does not say.
    package var presentationTime: MediaTime? {
        let frame = pointer
        let ticks =
            frame.pointee.best_effort_timestamp != AVNoTimestamp
            ? frame.pointee.best_effort_timestamp : frame.pointee.pts
        return MediaTime(ticks: ticks, frame.pointee.time_base)
    }

    package var duration: MediaTime? {
        let ticks = livephoto_frame_duration(pointer)
        return ticks > 0 ? MediaTime(ticks: ticks, pointer.pointee.time_base) : nil
    }

    package var size: PixelSize { PixelSize(width: Int(pointer.pointee.width), height: Int(pointer.pointee.height)) }
    package var pixelFormat: PixelFormat { PixelFormat(AVPixelFormat(rawValue: pointer.pointee.format)) }
    package var isInterlaced: Bool { livephoto_frame_is_interlaced(pointer) != 0 }
    /// The pixel aspect ratio that the codec declares, if any.
    package var sampleAspectRatio: AspectRatio? {
        let ratio = pointer.pointee.sample_aspect_ratio
        return ratio.num > 0 && ratio.den > 0 ? AspectRatio(Int(ratio.num), Int(ratio.den)) : nil
    }
    /// Whether the decoder flags it as a key frame. Before FFmpeg 6.1 all frames of decoders that do not set the flag have it.
    var isFlaggedAsKey: Bool { livephoto_frame_is_key(pointer) != 0 }
    /// Whether all of it is coded as an intra picture; false where the decoder does not say.
    var isIntraPicture: Bool { pointer.pointee.pict_type == AV_PICTURE_TYPE_I }
    /// Whether the decoder found a part of it missing or damaged.
    var isFlaggedAsCorrupt: Bool { pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 }
    /// Samples of one channel, in a piece of sound.
    package var sampleCount: Int { Int(pointer.pointee.nb_samples) }

    /// Samples a second, in a piece of sound.
    package var sampleRate: Int { Int(pointer.pointee.sample_rate) }

    /// The same picture or sound at another time: ticks of 1/timescale second.
    package func shown(at time: MediaTime) throws(LibavError) -> Frame {
        let copy = try allocated(av_frame_clone(pointer), "av_frame_clone")
        copy.pointee.pts = time.value
        copy.pointee.best_effort_timestamp = time.value
        copy.pointee.time_base = AVRational(num: 1, den: time.timescale)
        // The encoder decides on the picture type itself; the decoder's must not bind it.
        copy.pointee.pict_type = AV_PICTURE_TYPE_NONE
        return Frame(copy)
    }
}
