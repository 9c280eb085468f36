import CFFmpeg

/// Decodes single pictures that were coded as video, such as the tiles of a HEIC.
package final class CodedPictureDecoder {
    package enum Codec: Sendable, Hashable {
        case hevc, av1
    }

    private let context: CodecContext

    /// - Parameters:
    ///   - configuration: the content of `hvcC` or `av1C`.
    ///   - pixelLimit: the maximum number of pixels of a picture.
    /// - Throws: `LibavError`, also if this build of libavcodec has no such decoder.
    package init(_ codec: Codec, configuration: [UInt8], pixelLimit: Int) throws(LibavError) {
        guard let decoder = avcodec_find_decoder(codec == .hevc ? AV_CODEC_ID_HEVC : AV_CODEC_ID_AV1) else {
            throw LibavError(call: "avcodec_find_decoder", code: AVErrorInvalidArgument)
        }
        context = try CodecContext(decoder)
        context.pointer.pointee.thread_count = 1
        context.pointer.pointee.max_pixels = Int64(clamping: pixelLimit)
        context.pointer.pointee.err_recognition = AV_EF_EXPLODE
        try context.setConfiguration(configuration)
        try context.open()
    }

    /// - Throws: `LibavError`, also for a picture that is damaged.
    package func decode(_ data: [UInt8]) throws(LibavError) -> Frame {
        // The stream ended with the picture before.
        avcodec_flush_buffers(context.pointer)
        let packet = try Packet(copying: data)
        packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
        return try context.onlyFrame(of: packet)
    }
}

extension CodecContext {
    /// Gives a decoder the parameter sets that its container stores apart from the data.
    fileprivate func setConfiguration(_ configuration: [UInt8]) throws(LibavError) {
        let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
        let memory = try allocated(av_mallocz(configuration.count + padding), "av_mallocz")
        memory.copyMemory(from: configuration, byteCount: configuration.count)
        pointer.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        pointer.pointee.extradata_size = Int32(clamping: configuration.count)
    }
}
