import CFFmpeg
package import MediaModel

/// Owns a libx264 encoder: pictures in, H.264 samples in Annex B form out.
package final class H264Encoder {
    package struct Settings: Sendable, Hashable {
        package var size: PixelSize
        package var color: ColorDescription
        /// Used for rate control; frames keep their time stamps.
        package var frameRate: FrameRate
        /// The clock of the time stamps, in ticks a second.
        package var timescale: Int32
        /// x264's name: `faster`.
        package var preset: String
        /// x264's constant rate factor: 0 (lossless) to 51.
        package var crf: Double
        /// Maximum number of frames from one key frame to the next.
        package var keyFrameInterval: Int
        /// Differences from the preset, by x264's names: `ref=1`.
        package var parameters: [String]
        package var threads: Int

        package init(
            size: PixelSize, color: ColorDescription, frameRate: FrameRate, timescale: Int32, preset: String,
            crf: Double, keyFrameInterval: Int, parameters: [String], threads: Int
        ) {
            self.size = size
            self.color = color
            self.frameRate = frameRate
            self.timescale = timescale
            self.preset = preset
            self.crf = crf
            self.keyFrameInterval = keyFrameInterval
            self.parameters = parameters
            self.threads = threads
        }
    }

    /// A coded picture; samples come in decoding order.
    package struct Sample: Sendable, Hashable {
        /// NAL units with start codes (ITU-T H.264 annex B).
        package let annexB: [UInt8]
        /// Ticks of the settings' timescale.
        package let presentationTime: Int64
    }

    private let context: CodecContext
    private let packet: Packet

    /// The sequence and picture parameter sets, in Annex B form.
    package let parameterSets: [UInt8]

    package init(_ settings: Settings) throws(LibavError) {
        context = try CodecContext(encoder: "libx264")
        let encoder = context.pointer
        encoder.pointee.width = Int32(clamping: settings.size.width)
        encoder.pointee.height = Int32(clamping: settings.size.height)
        encoder.pointee.pix_fmt = AV_PIX_FMT_YUV420P
        encoder.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        encoder.pointee.time_base = AVRational(num: 1, den: settings.timescale)
        encoder.pointee.framerate = AVRational(num: settings.frameRate.numerator, den: settings.frameRate.denominator)
        encoder.pointee.gop_size = Int32(clamping: settings.keyFrameInterval)
        encoder.pointee.color_primaries = AVColorPrimaries(UInt32(settings.color.primaries))
        encoder.pointee.color_trc = AVColorTransferCharacteristic(UInt32(settings.color.transfer))
        encoder.pointee.colorspace = AVColorSpace(UInt32(settings.color.matrix))
        encoder.pointee.color_range = settings.color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        encoder.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
        encoder.pointee.thread_count = Int32(clamping: settings.threads)
        encoder.pointee.flags |= AVCodecFlagGlobalHeader | AVCodecFlagClosedGOP
        try context.setOption("preset", settings.preset)
        try context.setOption("profile", "high")
        try context.setOption("crf", "\(settings.crf)")
        // On a busy machine x264's lookahead thread makes 5 of 100 encodes differ from the rest (core 164, 900 runs of
        // one clip); without it none did. Equal requests must give equal bytes. The lookahead's work is divided into
        // fixed parts of each picture instead, one for each thread.
        let lookahead = ["sync-lookahead=0", "lookahead-threads=\(settings.threads)"]
        try context.setOption("x264-params", (lookahead + settings.parameters).joined(separator: ":"))
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
