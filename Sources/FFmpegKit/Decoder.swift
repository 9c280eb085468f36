import CFFmpeg

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Owns a decoder of one stream: packets in, frames out.
package final class Decoder {
    private let context: CodecContext
    private let scratch: UnsafeMutablePointer<AVFrame>
    /// Whether `send` may leave pictures out.
    private let canSkip: Bool
    private let demuxer: Demuxer
    private var hasStarted = false

    package enum Output {
        case frame(Frame)
        /// Nothing to give before another packet comes.
        case needsInput
        /// All frames have been output; only after the end was signalled.
        case finished
    }

    /// One thread for each core; more than 16 do not make decoding faster.
    package static var defaultThreads: Int { min(ProcessInfo.processInfo.activeProcessorCount, 16) }

    /// For video, create it after the stream's first packet was read, which names the build of x264 (`DecoderState`).
    ///
    /// - Parameter threads: libav's threads for this decoder; more of them hold more frames in memory.
    package init(_ demuxer: Demuxer, stream index: Int, threads: Int) throws(LibavError) {
        self.demuxer = demuxer
        context = try demuxer.withStream(index) { (stream) throws(LibavError) in
            guard let codec = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id) else {
                throw LibavError(call: "avcodec_find_decoder", code: AVErrorInvalidArgument)
            }
            let context = try CodecContext(codec)
            try check(
                avcodec_parameters_to_context(context.pointer, stream.pointee.codecpar), "avcodec_parameters_to_context"
            )
            context.pointer.pointee.pkt_timebase = stream.pointee.time_base
            context.pointer.pointee.thread_count = Int32(clamping: threads)
            context.pointer.pointee.max_pixels = Int64(Demuxer.largestPicture)
            // An option of libavcodec's own decoder for H.264.
            if let build = demuxer.x264Build(ofStream: index), String(cString: codec.pointee.name) == "h264" {
                try context.setOption("x264_build", "\(build)")
            }
            try context.open()
            return context
        }
        canSkip = Self.namesReferences(context.pointer)
        scratch = try allocated(av_frame_alloc(), "av_frame_alloc")
    }

    /// Whether the codec's packets declare that no other picture is predicted from theirs: H.264's nal_ref_idc 0 (ITU-T
    /// H.264, 7.4.1). HEVC declares it for pictures of the same temporal sub-layer alone (ITU-T H.265, 7.4.2.2), which is as
    /// good where `hvcC` says that there is one (numTemporalLayers; ISO/IEC 14496-15, 8.3.3.1.3).
    private static func namesReferences(_ context: UnsafePointer<AVCodecContext>) -> Bool {
        switch context.pointee.codec_id {
        case AV_CODEC_ID_H264: return true
        case AV_CODEC_ID_HEVC:
            guard let configuration = context.pointee.extradata, context.pointee.extradata_size > 21,
                configuration[0] == 1
            else {
                return false
            }
            return configuration[21] >> 3 & 7 == 1
        default: return false
        }
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = scratch
        av_frame_free(&frame)
    }

    /// Gives the decoder a packet; nil signals the end. Take every frame before sending the next.
    ///
    /// Data that cannot be decoded is passed over, as players do; libav's complaint goes to the log.
    ///
    /// - Parameter isWanted: whether the packet's picture is. An unwanted picture is skipped if the codec marks it as one that
    ///   no other refers to; all other pictures come out bit for bit the same.
    package func send(_ packet: Packet?, isWanted: Bool = true) throws(LibavError) {
        if !hasStarted, let packet { try demuxer.complete(packet) }
        hasStarted = true
        context.pointer.pointee.skip_frame = canSkip && !isWanted ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        let status = avcodec_send_packet(context.pointer, packet?.pointer)
        if Self.isFatal(status) { try check(status, "avcodec_send_packet") }
    }

    /// libav's decoders have no one code for data that is damaged: some give EPERM, ENOSYS or AVERROR_PATCHWELCOME.
    private static func isFatal(_ status: Int32) -> Bool { status == AVErrorNoMemory || status == AVErrorAgain }

    /// One packet holds fewer frames than that: a decoder that goes on failing has fallen into a loop.
    private static let mostFailuresInARow = 1000

    package func receive() throws(LibavError) -> Output {
        for _ in 0..<Self.mostFailuresInARow {
            let status = avcodec_receive_frame(context.pointer, scratch)
            switch status {
            case AVErrorAgain: return .needsInput
            case AVErrorEndOfFile: return .finished
            case 0...:
                scratch.pointee.time_base = context.pointer.pointee.pkt_timebase
                return .frame(try Frame(moving: scratch))
            default: if Self.isFatal(status) { try check(status, "avcodec_receive_frame") }
            }
        }
        throw LibavError(call: "avcodec_receive_frame", code: AVErrorInvalidData)
    }
}
