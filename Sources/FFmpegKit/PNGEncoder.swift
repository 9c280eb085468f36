import CFFmpeg
import MediaModel

/// Encodes one picture with libavcodec's PNG encoder.
package enum PNGEncoder {
    /// - Parameter picture: in the format `rgb24`, whose samples are those of sRGB.
    /// - Returns: a PNG file.
    package static func encode(_ picture: Frame) throws -> [UInt8] {
        let context = try CodecContext(encoder: "png")
        let encoder = context.pointer
        encoder.pointee.width = picture.pointer.pointee.width
        encoder.pointee.height = picture.pointer.pointee.height
        encoder.pointee.pix_fmt = AVPixelFormat(rawValue: picture.pointer.pointee.format)
        encoder.pointee.time_base = AVRational(num: 1, den: 1)
        encoder.pointee.thread_count = 1
        encoder.pointee.flags |= AVCodecFlagBitExact
        try context.open()
        let packet = try Packet()
        var bytes: [UInt8] = []
        let shown = try picture.shown(at: .zero)
        // Marked with the transfer function of video, as it comes, it would be shown brighter or darker than the key photo.
        shown.pointer.pointee.color_trc = AVCOL_TRC_IEC61966_2_1
        try context.send(shown)
        try context.send(nil)
        try context.drain(packet) { bytes = $0.bytes }
        return bytes
    }
}
