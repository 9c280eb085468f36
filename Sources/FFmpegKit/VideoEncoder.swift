import CFFmpeg
package import MediaModel

/// Owns a libx264 or libx265 encoder: pictures in, samples in Annex B form out. The first picture is a key frame, and further
/// ones follow at fixed distances.
package final class VideoEncoder {
    package struct Settings: Sendable, Hashable {
        package var codec: VideoCodec
        package var size: PixelSize
        package var color: ColorDescription
        /// 8, or 10 for HEVC; the pictures are `yuv420p` or `yuv420p10le`.
        package var bitDepth: Int
        /// Is repeated at each key frame; HEVC only.
        package var hdrMetadata: HDRMetadata?
        /// Used for rate control; frames keep their time stamps.
        package var frameRate: FrameRate
        /// The clock of the time stamps, in ticks a second.
        package var timescale: Int32
        /// The encoder's name for it: `faster`.
        package var preset: String
        /// The encoder's constant rate factor: 0 (lossless) to 51.
        package var crf: Double
        /// Maximum number of frames from one key frame to the next.
        package var keyFrameInterval: Int
        /// Differences from the preset, by the encoder's names: `ref=1`.
        package var parameters: [String]
        /// The encoder's own threads, from 1 on.
        package var threads = 1

        package init(
            _ codec: VideoCodec = .h264, size: PixelSize, color: ColorDescription, bitDepth: Int = 8,
            frameRate: FrameRate, timescale: Int32, preset: String, crf: Double, keyFrameInterval: Int,
            parameters: [String]
        ) {
            self.codec = codec
            self.size = size
            self.color = color
            self.bitDepth = bitDepth
            self.frameRate = frameRate
            self.timescale = timescale
            self.preset = preset
            self.crf = crf
            self.keyFrameInterval = keyFrameInterval
            self.parameters = parameters
        }

        /// The output does not depend on the number of threads, up to this one.
        ///
        /// The threads of x264 encode one picture each, and with several, motion vectors reach less far down. Those of x265 encode
        /// rows of blocks of the same picture; from four on, they change the output too.
        package var mostInterchangeableThreads: Int { codec == .h264 ? 1 : 3 }
    }

    /// A coded picture; samples come in decoding order.
    package struct Sample: Sendable, Hashable {
        /// NAL units with start codes (annex B of ITU-T H.264 and H.265).
        package let annexB: [UInt8]
        /// Ticks of the settings' timescale.
        package let presentationTime: Int64
    }

    private let context: CodecContext
    private let packet: Packet

    /// The parameter sets, in Annex B form.
    package let parameterSets: [UInt8]

    package init(_ settings: Settings) throws(LibavError) {
        context = try CodecContext(encoder: settings.codec.encoder)
        let encoder = context.pointer
        encoder.pointee.width = Int32(clamping: settings.size.width)
        encoder.pointee.height = Int32(clamping: settings.size.height)
        encoder.pointee.pix_fmt = settings.bitDepth > 8 ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P
        encoder.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        encoder.pointee.time_base = AVRational(num: 1, den: settings.timescale)
        encoder.pointee.framerate = AVRational(num: settings.frameRate.numerator, den: settings.frameRate.denominator)
        encoder.pointee.gop_size = Int32(clamping: settings.keyFrameInterval)
        encoder.pointee.color_primaries = AVColorPrimaries(UInt32(settings.color.primaries))
        encoder.pointee.color_trc = AVColorTransferCharacteristic(UInt32(settings.color.transfer))
        encoder.pointee.colorspace = AVColorSpace(UInt32(settings.color.matrix))
        encoder.pointee.color_range = settings.color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        encoder.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
        encoder.pointee.thread_count = 1
        encoder.pointee.flags |= AVCodecFlagGlobalHeader | AVCodecFlagClosedGOP
        try context.setOption("preset", settings.preset)
        try context.setOption("profile", settings.codec == .h264 ? "high" : settings.bitDepth > 8 ? "main10" : "main")
        try context.setOption("crf", "\(settings.crf)")
        let hdr = settings.codec == .hevc ? settings.hdrMetadata?.x265Parameters ?? [] : []
        let parameters = settings.parameters + settings.fixedParameters + hdr
        try context.setOption(
            settings.codec == .h264 ? "x264-params" : "x265-params", parameters.joined(separator: ":"))
        try context.open()
        parameterSets = context.extradata
        packet = try Packet()
    }

    /// Encodes a picture and calls `output` with each finished sample; a nil picture ends the stream.
    package func encode(_ picture: Frame?, _ output: (Sample) throws -> Void) throws {
        try context.send(picture)
        try context.drain(packet) { packet in
            try output(Sample(annexB: packet.bytes, presentationTime: packet.pointer.pointee.pts))
        }
    }
}

extension VideoCodec {
    /// libavcodec's name of the encoder.
    package var encoder: String {
        switch self {
        case .h264: "libx264"
        case .hevc: "libx265"
        }
    }
}

extension VideoEncoder.Settings {
    /// In a picture with fewer than four blocks of 16 pixels in a row, `cutree` of x265 3.5 writes beyond the end of a buffer.
    private static var narrowHEVC: Int { 64 }

    /// Parameters that no preset may change.
    fileprivate var fixedParameters: [String] {
        switch codec {
        // With key frames at scene changes too, the last picture of one encoder and the first of the next could both be IDR
        // pictures, with the same idr_pic_id. Those of consecutive IDR pictures must differ (ITU-T H.264, 7.4.3).
        //
        // Without `cpu-independent`, x264's macroblock tree has other results for each generation of vector instructions, and its
        // code for AVX-512 (build 3095) depends on memory that was never written.
        //
        // Without `sync-lookahead=0`, an encoder with several threads looks ahead in one more thread, which takes memory and saves no time.
        case .h264: ["scenecut=0", "cpu-independent=1", "threads=\(threads)", "sync-lookahead=0"]
        // libavcodec only takes over the number of threads of a pool, and x265 writes to standard error by itself.
        case .hevc:
            [
                "scenecut=0", "open-gop=0", "wpp=1", "pools=\(threads)", "frame-threads=1", "info=0",
                "log-level=none",
            ]
                + (size.width < Self.narrowHEVC ? ["cutree=0"] : [])
        }
    }
}

extension HDRMetadata {
    /// x265's options.
    fileprivate var x265Parameters: [String] {
        func text(_ point: Chromaticity) -> String { "(\(point.x),\(point.y))" }
        let display = display.map {
            "master-display=G\(text($0.green))B\(text($0.blue))R\(text($0.red))WP\(text($0.white))"
                + "L(\($0.brightest),\($0.darkest))"
        }
        let lightLevel = lightLevel.map { "max-cll=\($0.pixel),\($0.frame)" }
        // Otherwise, they would be in the extradata alone.
        return [display, lightLevel, "hdr10=1", "repeat-headers=1"].compactMap(\.self)
    }
}
