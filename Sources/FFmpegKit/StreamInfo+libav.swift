import CFFmpeg
import MediaModel

extension StreamInfo {
    /// - Parameter isEncrypted: what tags say.
    init(_ stream: UnsafeMutablePointer<AVStream>, isEncrypted: Bool) {
        let parameters: UnsafeMutablePointer<AVCodecParameters> = stream.pointee.codecpar
        let timeBase = stream.pointee.time_base
        let kind: Kind =
            switch parameters.pointee.codec_type {
            case AVMEDIA_TYPE_VIDEO: .video(VideoParameters(stream))
            case AVMEDIA_TYPE_AUDIO: .audio(AudioParameters(parameters))
            default: .other
            }
        self.init(
            index: Int(stream.pointee.index),
            id: Int(stream.pointee.id),
            kind: kind,
            codecName: Self.codecName(parameters),
            isDecodable: avcodec_find_decoder(parameters.pointee.codec_id) != nil,
            isEncrypted: isEncrypted || Self.isEncrypted(stream),
            keyFrameEvidence: KeyFrameEvidence(parameters.pointee.codec_id),
            reorderedPictures: Int(parameters.pointee.video_delay),
            startTime: MediaTime(ticks: stream.pointee.start_time, timeBase),
            duration: stream.pointee.duration > 0 ? MediaTime(ticks: stream.pointee.duration, timeBase) : nil,
            isAttachedPicture: stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
            isDefault: stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0)
    }

    /// By the sample entry's format in QuickTime and MP4 (Common Encryption, ISO/IEC 23001-7; FairPlay), or by the data that
    /// a player sends to a key server.
    private static func isEncrypted(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let format = String(decoding: letters(stream.pointee.codecpar.pointee.codec_tag), as: UTF8.self)
        return ["encv", "enca", "drmi", "drms"].contains(format)
            || livephoto_side_data(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, 0) != nil
    }

    private static func letters(_ tag: UInt32) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: tag >> UInt32($0)) }
    }

    /// The container's four characters for a codec that libav does not know.
    private static func codecName(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> String {
        guard parameters.pointee.codec_id == AV_CODEC_ID_NONE else {
            return String(cString: avcodec_get_name(parameters.pointee.codec_id))
        }
        let letters = letters(parameters.pointee.codec_tag)
        let isText = letters.allSatisfy { (0x20..<0x7F).contains($0) }
        return isText ? String(decoding: letters, as: UTF8.self) : "of an unknown codec"
    }
}

extension VideoParameters {
    init(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters: UnsafeMutablePointer<AVCodecParameters> = stream.pointee.codecpar
        // The container's ratio wins over the codec's, as in libav's av_guess_sample_aspect_ratio.
        let containerRatio = AspectRatio(
            Int(stream.pointee.sample_aspect_ratio.num), Int(stream.pointee.sample_aspect_ratio.den))
        let codecRatio = AspectRatio(
            Int(parameters.pointee.sample_aspect_ratio.num), Int(parameters.pointee.sample_aspect_ratio.den))
        self.init(
            codedSize: PixelSize(width: Int(parameters.pointee.width), height: Int(parameters.pointee.height)),
            sampleAspectRatio: containerRatio.isSquare ? codecRatio : containerRatio,
            orientation: livephoto_display_matrix(stream).flatMap(Orientation.init(displayMatrix:)) ?? .upright,
            pixelFormat: PixelFormat(AVPixelFormat(rawValue: parameters.pointee.format)),
            color: ColorDescription(
                primaries: UInt16(clamping: parameters.pointee.color_primaries.rawValue),
                transfer: UInt16(clamping: parameters.pointee.color_trc.rawValue),
                matrix: UInt16(clamping: parameters.pointee.color_space.rawValue),
                isFullRange: parameters.pointee.color_range == AVCOL_RANGE_JPEG),
            averageFrameRate: FrameRate(stream.pointee.avg_frame_rate.num, stream.pointee.avg_frame_rate.den)
                ?? FrameRate(stream.pointee.r_frame_rate.num, stream.pointee.r_frame_rate.den),
            isInterlaced: parameters.pointee.field_order.rawValue > AV_FIELD_PROGRESSIVE.rawValue)
        // Only these decoders set the alpha of a palette; with others, and in some containers, it has no meaning.
        if pixelFormat.isPaletted, ![AV_CODEC_ID_PNG, AV_CODEC_ID_APNG].contains(parameters.pointee.codec_id) {
            pixelFormat.hasAlpha = false
        }
        hasChromaAtLeft = [AVCHROMA_LOC_UNSPECIFIED, AVCHROMA_LOC_LEFT].contains(parameters.pointee.chroma_location)
        hasContainerAspectRatio = !containerRatio.isSquare
        dolbyVisionProfile = Int(livephoto_dolby_vision_profile(stream))
    }
}

extension Orientation {
    /// - Parameter displayMatrix: nine int32, 16.16 fixed point (libavutil/display.h: the same layout as `tkhd`'s).
    init?(displayMatrix: UnsafePointer<Int32>) {
        self.init(
            a: Double(displayMatrix[0]), b: Double(displayMatrix[1]),
            c: Double(displayMatrix[3]), d: Double(displayMatrix[4]))
    }
}

extension PixelFormat {
    init(_ format: AVPixelFormat) {
        guard let descriptor = av_pix_fmt_desc_get(format) else {
            self.init(name: "unknown")
            return
        }
        let flags = descriptor.pointee.flags
        self.init(
            name: String(cString: descriptor.pointee.name),
            bitsPerComponent: Int(descriptor.pointee.comp.0.depth),
            // A palette's colors are RGB.
            isRGB: flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0,
            hasAlpha: flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0,
            isPaletted: flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0,
            chromaSpacing: PixelSize(
                width: 1 << Int(descriptor.pointee.log2_chroma_w), height: 1 << Int(descriptor.pointee.log2_chroma_h)))
    }
}

extension AudioParameters {
    init(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
        var configuration: [UInt8]?
        if parameters.pointee.codec_id == AV_CODEC_ID_AAC, parameters.pointee.profile == AVProfileAACLow,
            let extradata = parameters.pointee.extradata, parameters.pointee.extradata_size >= 2
        {
            configuration = Array(UnsafeBufferPointer(start: extradata, count: Int(parameters.pointee.extradata_size)))
        }
        self.init(
            sampleRate: Int(parameters.pointee.sample_rate), channels: Int(parameters.pointee.ch_layout.nb_channels),
            aacLCConfiguration: configuration)
    }
}

extension MediaTime {
    /// Nil for libav's "no time stamp", and for ticks that no clock of ours can count.
    init?(ticks: Int64, _ timeBase: AVRational) {
        guard ticks != AVNoTimestamp, timeBase.num > 0, timeBase.den > 0 else { return nil }
        let (value, overflow) = ticks.multipliedReportingOverflow(by: Int64(timeBase.num))
        guard !overflow else { return nil }
        self.init(value: value, timescale: timeBase.den)
    }

    /// This time in ticks of `timeBase`.
    func ticks(_ timeBase: AVRational, _ rounding: FloatingPointRoundingRule) -> Int64 {
        guard timeBase.num > 0, timeBase.den > 0 else { return 0 }
        let numerator = Int128(value) * Int128(timeBase.den)
        return Int64(clamping: numerator.divided(by: Int128(timescale) * Int128(timeBase.num), rounding))
    }
}
