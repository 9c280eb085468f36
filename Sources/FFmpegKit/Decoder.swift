import CFFmpeg

/// Owns a decoder of one stream: packets in, frames out.
package final class Decoder {
    private let context: CodecContext
    private let scratch: UnsafeMutablePointer<AVFrame>

    package enum Output {
        case frame(Frame)
        /// Nothing to give before another packet comes.
        case needsInput
        /// Everything has been given; only after the end was told.
        case finished
    }

    /// - Parameter threads: libav's threads for this decoder; more of them hold more frames in memory.
    package init(_ demuxer: Demuxer, stream: Int, threads: Int) throws(LibavError) {
        context = try demuxer.withStream(stream) { (stream) throws(LibavError) in
            guard let codec = avcodec_find_decoder(stream.codecpar.pointee.codec_id) else {
                throw LibavError(call: "avcodec_find_decoder", code: AVErrorInvalidArgument)
            }
            let context = try CodecContext(codec)
            try check(avcodec_parameters_to_context(context.pointer, stream.codecpar), "avcodec_parameters_to_context")
            context.pointer.pointee.pkt_timebase = stream.time_base
            context.pointer.pointee.thread_count = Int32(clamping: threads)
            try context.open()
            return context
        }
        scratch = try allocated(av_frame_alloc(), "av_frame_alloc")
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = scratch
        av_frame_free(&frame)
    }

    /// Gives the decoder a packet; nil tells it that no more come. Take every frame before sending the next.
    ///
    /// Data that cannot be decoded is passed over, as players do; libav's complaint goes to the log.
    package func send(_ packet: Packet?) throws(LibavError) {
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
