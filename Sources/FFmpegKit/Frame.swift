import CFFmpeg
package import MediaModel

/// Owns a reference to an AVFrame: a decoded picture or decoded audio samples.
///
/// Invariant for `@unchecked Sendable`: a frame never changes while anybody outside this module has it. Fields are only read,
/// the data is shared by libav's atomic reference counts, and changing the time stamp creates another frame. `ToneMapper`
/// reuses a frame only if it holds the last reference to it and to its data.
package final class Frame: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVFrame>

    private init(_ pointer: UnsafeMutablePointer<AVFrame>) {
        self.pointer = pointer
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    /// An empty frame, which must be filled before it is shared.
    init() throws(LibavError) {
        pointer = try allocated(av_frame_alloc(), "av_frame_alloc")
    }

    /// The presentation time in the frame's own time base; libav's best guess if the clip does not have it.
    package var presentationTime: MediaTime? {
        MediaTime(ticks: pointer.pointee.best_effort_timestamp, pointer.pointee.time_base)
            ?? MediaTime(ticks: pointer.pointee.pts, pointer.pointee.time_base)
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
    /// Whether the decoder flags it as a key frame. Before FFmpeg 6.1, decoders that do not set the flag flag all
    /// frames.
    var isFlaggedAsKey: Bool { livephoto_frame_is_key(pointer) != 0 }
    /// Whether it is an intra picture; false if the decoder does not report it.
    var isIntraPicture: Bool { pointer.pointee.pict_type == AV_PICTURE_TYPE_I }
    /// Whether the decoder found parts of it missing or damaged.
    var isFlaggedAsCorrupt: Bool { pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 }
    /// Audio samples of one channel.
    package var sampleCount: Int { Int(pointer.pointee.nb_samples) }
    /// Audio samples a second.
    package var sampleRate: Int { Int(pointer.pointee.sample_rate) }

    /// The planes in libav's order, each with the distance of its rows in bytes. A frame has no more than four.
    var planes: [(start: UnsafeMutablePointer<UInt8>?, stride: Int)] {
        let (data, strides) = (pointer.pointee.data, pointer.pointee.linesize)
        return [
            (data.0, Int(strides.0)), (data.1, Int(strides.1)), (data.2, Int(strides.2)), (data.3, Int(strides.3)),
        ]
    }

    /// The same picture or sound at another time; its time base becomes 1/timescale second.
    package func shown(at time: MediaTime) throws(LibavError) -> Frame {
        let copy = try allocated(av_frame_clone(pointer), "av_frame_clone")
        copy.pointee.pts = time.value
        copy.pointee.best_effort_timestamp = time.value
        copy.pointee.time_base = AVRational(num: 1, den: time.timescale)
        // Otherwise the encoder would use the decoder's picture type.
        copy.pointee.pict_type = AV_PICTURE_TYPE_NONE
        return Frame(copy)
    }
}
