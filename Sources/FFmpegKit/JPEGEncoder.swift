import CFFmpeg
import MediaModel

/// Encodes one picture with libavcodec's MJPEG encoder, with optimized Huffman tables.
package enum JPEGEncoder {
    /// - Parameters:
    ///   - picture: full-range YCbCr (`yuvj420p`, `yuvj422p` or `yuvj444p`).
    ///   - quality: 1 to 100, on the scale of the Independent JPEG Group.
    /// - Returns: a JFIF file.
    package static func encode(_ picture: Frame, quality: Int) throws -> [UInt8] {
        let context = try CodecContext(encoder: "mjpeg")
        let encoder = context.pointer
        encoder.pointee.width = picture.pointer.pointee.width
        encoder.pointee.height = picture.pointer.pointee.height
        encoder.pointee.pix_fmt = AVPixelFormat(rawValue: picture.pointer.pointee.format)
        encoder.pointee.color_range = AVCOL_RANGE_JPEG
        encoder.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        encoder.pointee.time_base = AVRational(num: 1, den: 1)
        encoder.pointee.thread_count = 1
        encoder.pointee.qmin = 1
        encoder.pointee.flags |= AVCodecFlagQScale | AVCodecFlagBitExact
        encoder.pointee.global_quality = Int32(quantizerScale(quality: quality)) * FF_QP2LAMBDA
        try context.open()

        let packet = try Packet()
        var bytes: [UInt8] = []
        let copy = try picture.shown(at: .zero)
        copy.pointer.pointee.quality = encoder.pointee.global_quality
        try context.send(copy)
        try context.send(nil)
        try context.drain(packet) { bytes = $0.bytes }
        return bytes
    }

    /// libavcodec scales MPEG-1's intra matrix by q/8; the Independent JPEG Group scales JPEG's example tables by a
    /// percentage. For the middle frequencies, the two match at q = 12.5 times that percentage.
    package static func quantizerScale(quality: Int) -> Int {
        let quality = min(max(quality, 1), 100)
        let percentage = quality < 50 ? 50 / Double(quality) : 2 - Double(quality) / 50
        return min(max(Int((12.5 * percentage).rounded()), 1), 31)
    }
}
