import CFFmpeg

/// VP8 or VP9 whose packets have a second picture with the transparency (Matroska's AlphaMode). libavcodec's own decoders
/// ignore that; those of libvpx, which most builds of FFmpeg have, do not.
struct TransparentVPX {
    let decoder: UnsafePointer<AVCodec>

    /// Nil for other streams, and if FFmpeg was built without the decoder.
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        guard let tag = av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0),
            String(cString: tag.pointee.value) == "1"
        else { return nil }
        let name: String
        switch stream.pointee.codecpar.pointee.codec_id {
        case AV_CODEC_ID_VP8: name = "libvpx"
        case AV_CODEC_ID_VP9: name = "libvpx-vp9"
        default: return nil
        }
        guard let decoder = avcodec_find_decoder_by_name(name) else { return nil }
        self.decoder = decoder
    }

    /// The format of its pictures, of which libavformat knows only that without transparency.
    static func format(_ stream: UnsafeMutablePointer<AVStream>) -> AVPixelFormat {
        let format = AVPixelFormat(rawValue: stream.pointee.codecpar.pointee.format)
        return format == AV_PIX_FMT_YUV420P && TransparentVPX(stream) != nil ? AV_PIX_FMT_YUVA420P : format
    }
}
