import CFFmpeg
import MediaModel

/// Encodes one picture with libavcodec's PNG encoder.
package enum PNGEncoder {
    /// - Parameter picture: in the format `rgb24`.
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
        try context.send(picture.shown(at: .zero))
        try context.send(nil)
        try context.drain(packet) { bytes = $0.bytes }
        return bytes
    }
}
