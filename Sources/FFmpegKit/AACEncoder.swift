import CFFmpeg

/// Owns libavcodec's AAC-LC encoder: audio frames in, access units of 1,024 samples out.
package final class AACEncoder {
    /// Samples of one channel in an access unit (ISO/IEC 14496-3).
    package static let samplesPerPacket = 1024
    /// libavcodec's name of the encoder's sample format.
    package static let sampleFormat = "fltp"

    private let context: CodecContext
    private let packet: Packet

    /// AAC's AudioSpecificConfig.
    package let configuration: [UInt8]
    /// Samples at the start of the first access unit that are encoder delay.
    package let primingSamples: Int

    /// - Parameters:
    ///   - channels: 1 or 2.
    ///   - bitRate: bits a second.
    package init(sampleRate: Int, channels: Int, bitRate: Int) throws(LibavError) {
        context = try CodecContext(encoder: "aac")
        let encoder = context.pointer
        encoder.pointee.sample_rate = Int32(clamping: sampleRate)
        encoder.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
        encoder.pointee.bit_rate = Int64(bitRate)
        encoder.pointee.time_base = AVRational(num: 1, den: Int32(clamping: sampleRate))
        av_channel_layout_default(&encoder.pointee.ch_layout, Int32(clamping: channels))
        // Without BitExact, the stream would contain libavcodec's version string.
        encoder.pointee.flags |= AVCodecFlagGlobalHeader | AVCodecFlagBitExact
        try context.open()
        configuration = context.extradata
        primingSamples = Int(encoder.pointee.initial_padding)
        packet = try Packet()
    }

    /// Encodes audio and calls `output` with each finished access unit; nil ends the stream.
    package func encode(_ sound: Frame?, _ output: ([UInt8]) throws -> Void) throws {
        try context.send(sound)
        try context.drain(packet) { try output($0.bytes) }
    }
}
