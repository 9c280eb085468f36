import CFFmpeg

/// Decodes a file that holds one picture. The file is one packet to libav's decoder: no demuxer guesses at it, nothing
/// else is opened.
package enum PictureDecoder {
    package enum Format: Sendable, Hashable, CaseIterable {
        case jpeg, png, tiff, webP
    }

    /// - Parameters:
    ///   - file: all of it.
    ///   - pixelLimit: the most pixels that are decoded.
    /// - Throws: `LibavError` also for a picture that is damaged or cut off.
    package static func decode(_ file: [UInt8], _ format: Format, pixelLimit: Int) throws(LibavError) -> Frame {
        guard let codec = avcodec_find_decoder(format.codec) else {
            throw LibavError(call: "avcodec_find_decoder", code: AVErrorInvalidArgument)
        }
        let context = try CodecContext(codec)
        context.pointer.pointee.thread_count = 1
        context.pointer.pointee.max_pixels = Int64(clamping: pixelLimit)
        // Half a picture is none. (The TIFF decoder would refuse every tag it does not know.)
        context.pointer.pointee.err_recognition = format == .tiff ? 0 : AV_EF_EXPLODE | AV_EF_CRCCHECK
        try context.open()
        let packet = try Packet(copying: file)
        try context.send(packet)
        try context.send(nil as Packet?)
        let frame = try Frame()
        let status = avcodec_receive_frame(context.pointer, frame.pointer)
        guard status != AVErrorEndOfFile else {
            throw LibavError(call: "avcodec_receive_frame", code: AVErrorInvalidData)
        }
        try check(status, "avcodec_receive_frame")
        // Filters want one.
        frame.pointer.pointee.time_base = AVRational(num: 1, den: 1)
        return frame
    }
}

extension CodecContext {
    /// Gives a packet to a decoder; nil signals the end.
    fileprivate func send(_ packet: Packet?) throws(LibavError) {
        try check(avcodec_send_packet(pointer, packet?.pointer), "avcodec_send_packet")
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
