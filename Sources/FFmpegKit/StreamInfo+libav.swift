import CFFmpeg
import MediaModel

extension StreamInfo {
    /// - Parameter isEncrypted: whether the container's tags declare encryption.
    init(_ stream: UnsafeMutablePointer<AVStream>, isEncrypted: Bool) {
        let parameters: UnsafeMutablePointer<AVCodecParameters> = stream.pointee.codecpar
        let timeBase = stream.pointee.time_base
        self.init(
            index: Int(stream.pointee.index),
            video: parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO ? VideoParameters(stream) : nil,
            audio: parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO ? AudioParameters(parameters) : nil,
            codecName: Self.codecName(parameters))
        id = Int(stream.pointee.id)
        isDecodable = avcodec_find_decoder(parameters.pointee.codec_id) != nil
        self.isEncrypted = isEncrypted || Self.isEncrypted(stream)
        keyFrameEvidence = KeyFrameEvidence(parameters.pointee.codec_id)
        reorderedPictures = Int(parameters.pointee.video_delay)
        startTime = MediaTime(ticks: stream.pointee.start_time, timeBase)
        duration = stream.pointee.duration > 0 ? MediaTime(ticks: stream.pointee.duration, timeBase) : nil
        isAttachedPicture = stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        isDefault = stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0
        frameCount = stream.pointee.nb_frames > 0 ? Int(stream.pointee.nb_frames) : nil
    }

    /// Detects encryption by the sample entry's format in QuickTime and MP4 (Common Encryption, ISO/IEC 23001-7;
    /// FairPlay), or by the presence of data for a key server.
    private static func isEncrypted(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let format = String(decoding: letters(stream.pointee.codecpar.pointee.codec_tag), as: UTF8.self)
        return ["encv", "enca", "drmi", "drms"].contains(format)
            || livephoto_side_data(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, 0) != nil
    }

    private static func letters(_ tag: UInt32) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: tag >> UInt32($0)) }
    }

    /// libav's name of the codec, or the container's four characters for a codec unknown to libav.
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
        // The container's ratio takes precedence over the codec's, as in libav's av_guess_sample_aspect_ratio.
        let containerRatio = AspectRatio(
            Int(stream.pointee.sample_aspect_ratio.num), Int(stream.pointee.sample_aspect_ratio.den))
        let codecRatio = AspectRatio(
            Int(parameters.pointee.sample_aspect_ratio.num), Int(parameters.pointee.sample_aspect_ratio.den))
        self.init(
            codedSize: PixelSize(width: Int(parameters.pointee.width), height: Int(parameters.pointee.height)),
            sampleAspectRatio: containerRatio.isSquare ? codecRatio : containerRatio,
            orientation: livephoto_display_matrix(stream).flatMap(Orientation.init(displayMatrix:)) ?? .upright,
            pixelFormat: PixelFormat(
                TransparentVPX.format(stream).named(for: parameters.pointee.color_space)),
            color: ColorDescription(
                parameters.pointee.color_primaries, parameters.pointee.color_trc, parameters.pointee.color_space,
                parameters.pointee.color_range),
            averageFrameRate: FrameRate(stream.pointee.avg_frame_rate.num, stream.pointee.avg_frame_rate.den)
                ?? FrameRate(stream.pointee.r_frame_rate.num, stream.pointee.r_frame_rate.den),
            isInterlaced: parameters.pointee.field_order.rawValue > AV_FIELD_PROGRESSIVE.rawValue)
        // Only these decoders set the alpha of a palette; in others it has no meaning.
        if pixelFormat.isPaletted, ![AV_CODEC_ID_PNG, AV_CODEC_ID_APNG].contains(parameters.pointee.codec_id) {
            pixelFormat.hasAlpha = false
        }
        hasChromaAtLeft = [AVCHROMA_LOC_UNSPECIFIED, AVCHROMA_LOC_LEFT].contains(parameters.pointee.chroma_location)
        hasContainerAspectRatio = !containerRatio.isSquare
        hdrMetadata = HDRMetadata(stream)
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

extension ColorDescription {
    /// libav uses the code points of ITU-T H.273.
    init(
        _ primaries: AVColorPrimaries, _ transfer: AVColorTransferCharacteristic, _ matrix: AVColorSpace,
        _ range: AVColorRange
    ) {
        self.init(
            primaries: UInt16(clamping: primaries.rawValue), transfer: UInt16(clamping: transfer.rawValue),
            matrix: UInt16(clamping: matrix.rawValue), isFullRange: range == AVCOL_RANGE_JPEG)
    }
}

extension AVPixelFormat {
    /// The layout of RGB for pictures without subsampling whose matrix is the identity: G, B and R take the places of Y, Cb
    /// and Cr (H.273, 8.3). libavcodec's decoders of H.264, HEVC and VP9 name it so themselves, that of AV1 only for sRGB.
    func named(for matrix: AVColorSpace) -> AVPixelFormat {
        guard matrix == AVCOL_SPC_RGB else { return self }
        switch self {
        case AV_PIX_FMT_YUV444P: return AV_PIX_FMT_GBRP
        case AV_PIX_FMT_YUV444P10LE: return AV_PIX_FMT_GBRP10LE
        case AV_PIX_FMT_YUV444P12LE: return AV_PIX_FMT_GBRP12LE
        default: return self
        }
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
    /// Nil for AV_NOPTS_VALUE, and for times that overflow.
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
