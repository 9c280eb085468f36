import CFFmpeg

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Owns a decoder of one stream: packets in, frames out.
package final class Decoder {
    private let context: CodecContext
    /// Pictures that `send` may skip; nil for none.
    private let disposable: DisposablePictures?
    private let demuxer: Demuxer
    private var hasStarted = false

    package enum Output {
        case frame(Frame)
        /// No frame is available before the next packet.
        case needsInput
        /// All frames have been output, after the end was signalled.
        case finished
    }

    /// One thread for each core; more than 16 do not make decoding faster.
    package static var defaultThreads: Int { min(ProcessInfo.processInfo.activeProcessorCount, 16) }

    /// For video, create it after the stream's first packet was read, which contains the build of x264
    /// (`DecoderState`).
    ///
    /// - Parameters:
    ///   - threads: libav's threads for this decoder; more threads hold more frames in memory.
    ///   - isApproximate: whether pictures may keep the edges of their blocks, which takes less time.
    package init(
        _ demuxer: Demuxer, stream index: Int, threads: Int, isApproximate: Bool = false
    ) throws(LibavError) {
        self.demuxer = demuxer
        context = try demuxer.withStream(index) { (stream) throws(LibavError) in
            guard
                let codec = TransparentVPX(stream)?.decoder
                    ?? avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id)
            else {
                throw LibavError(call: "avcodec_find_decoder", code: AVErrorInvalidArgument)
            }
            let context = try CodecContext(codec)
            try check(
                avcodec_parameters_to_context(context.pointer, stream.pointee.codecpar), "avcodec_parameters_to_context"
            )
            context.pointer.pointee.pkt_timebase = stream.pointee.time_base
            context.pointer.pointee.thread_count = Int32(clamping: threads)
            context.pointer.pointee.max_pixels = Int64(Demuxer.largestPicture)
            if isApproximate { context.pointer.pointee.skip_loop_filter = AVDISCARD_ALL }
            // Only libavcodec's native H.264 decoder has this option.
            if let build = demuxer.x264Build(ofStream: index), String(cString: codec.pointee.name) == "h264" {
                try context.setOption("x264_build", "\(build)")
            }
            try context.open()
            return context
        }
        disposable = DisposablePictures(context.pointer)
    }

    /// libav's name of the codec.
    var codecName: String { String(cString: avcodec_get_name(context.pointer.pointee.codec_id)) }

    /// Whether the container has a header or configuration for the decoder.
    var isConfigured: Bool { context.pointer.pointee.extradata_size > 0 }

    /// Gives the decoder a packet; nil signals the end. Receive all frames before sending the next packet.
    ///
    /// Data that cannot be decoded is skipped, as players do; libav logs the error.
    ///
    /// - Parameter isNeeded: whether the packet's picture is needed. If not, it is skipped if the codec marks it as a
    ///   picture that no other refers to; all other pictures are output bit for bit the same.
    package func send(_ packet: Packet?, isNeeded: Bool = true) throws(LibavError) {
        let canSkip = disposable != nil && !isNeeded
        // Each packet occupies a thread of the decoder, even if libavcodec then skips its picture.
        if canSkip, hasStarted, let packet, disposable?.areAll(of: packet) == true { return }
        if !hasStarted, let packet { try demuxer.complete(packet) }
        hasStarted = true
        context.pointer.pointee.skip_frame = canSkip ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        let status = avcodec_send_packet(context.pointer, packet?.pointer)
        if Self.isFatal(status) { try check(status, "avcodec_send_packet") }
    }

    /// libav has no common code for damaged data: some decoders return EPERM, ENOSYS or AVERROR_PATCHWELCOME.
    private static func isFatal(_ status: Int32) -> Bool { status == AVErrorNoMemory || status == AVErrorAgain }

    /// No packet holds so many frames, so a decoder that fails more often is in an endless loop.
    private static let mostFailuresInARow = 1000

    package func receive() throws(LibavError) -> Output {
        for _ in 0..<Self.mostFailuresInARow {
            let frame = try Frame()
            let status = avcodec_receive_frame(context.pointer, frame.pointer)
            switch status {
            case AVErrorAgain: return .needsInput
            case AVErrorEndOfFile: return .finished
            case 0...:
                frame.pointer.pointee.time_base = context.pointer.pointee.pkt_timebase
                frame.pointer.pointee.format =
                    AVPixelFormat(rawValue: frame.pointer.pointee.format)
                    .named(for: frame.pointer.pointee.colorspace).rawValue
                return .frame(frame)
            default: if Self.isFatal(status) { try check(status, "avcodec_receive_frame") }
            }
        }
        throw LibavError(call: "avcodec_receive_frame", code: AVErrorInvalidData)
    }
}
