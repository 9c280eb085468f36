import CFFmpeg

/// Decodes a file that contains one picture. The decoder receives the file as one packet; no demuxer is involved, and
/// no other file is opened.
package enum PictureDecoder {
    package enum Format: Sendable, Hashable, CaseIterable {
        case jpeg, png, tiff, webP
    }

    /// - Parameters:
    ///   - file: the contents of the whole file.
    ///   - pixelLimit: maximum number of pixels.
    /// - Throws: `LibavError`, also for a picture that is damaged or truncated.
    package static func decode(_ file: [UInt8], _ format: Format, pixelLimit: Int) throws(LibavError) -> Frame {
        guard let codec = avcodec_find_decoder(format.codec) else {
            throw LibavError(call: "avcodec_find_decoder", code: AVErrorInvalidArgument)
        }
        let context = try CodecContext(codec)
        context.pointer.pointee.thread_count = 1
        context.pointer.pointee.max_pixels = Int64(clamping: pixelLimit)
        // Reject incomplete pictures. (With these flags, the TIFF decoder would reject every unknown tag.)
        context.pointer.pointee.err_recognition = format == .tiff ? 0 : AV_EF_EXPLODE | AV_EF_CRCCHECK
        try context.open()
        return try context.onlyFrame(of: Packet(copying: file))
    }
}

extension CodecContext {
    /// Decodes a packet that holds one picture, and ends the stream, because decoders of video wait for the next one.
    ///
    /// - Throws: `LibavError`, also if there is no picture.
    func onlyFrame(of packet: Packet) throws(LibavError) -> Frame {
        try check(avcodec_send_packet(pointer, packet.pointer), "avcodec_send_packet")
        try check(avcodec_send_packet(pointer, nil), "avcodec_send_packet")
        let frame = try Frame()
        let status = avcodec_receive_frame(pointer, frame.pointer)
        guard status != AVErrorEndOfFile else {
            throw LibavError(call: "avcodec_receive_frame", code: AVErrorInvalidData)
        }
        try check(status, "avcodec_receive_frame")
        // Filters require a time base.
        frame.pointer.pointee.time_base = AVRational(num: 1, den: 1)
        return frame
    }
}

extension PictureDecoder.Format {
    fileprivate var codec: AVCodecID {
        switch self {
        case .jpeg: AV_CODEC_ID_MJPEG
        case .png: AV_CODEC_ID_PNG
        case .tiff: AV_CODEC_ID_TIFF
        case .webP: AV_CODEC_ID_WEBP
        }
    }
}
