package import Bytes
import CFFmpeg
package import MediaModel

/// Writes pictures as a file with one animation: an encoder of libavcodec and a muxer of libavformat.
package final class AnimationWriter {
    package struct Settings: Sendable, Hashable {
        /// An encoder or muxer, and its options.
        package struct Component: Sendable, Hashable {
            /// libav's name.
            package var name: String
            package var options: [String: String] = [:]

            package init(_ name: String, _ options: [String: String] = [:]) {
                (self.name, self.options) = (name, options)
            }
        }

        package var encoder: Component
        package var muxer: Component
        package var size: PixelSize
        /// libav's name of the pixel format of the pictures.
        package var format: String
        package var color: ColorDescription
        /// Used for rate control; pictures keep their times.
        package var frameRate: FrameRate
        /// The clock of the pictures' times, in ticks a second.
        package var timescale: Int32
        package var threads: Int

        package init(
            encoder: Component, muxer: Component, size: PixelSize, format: String, color: ColorDescription,
            frameRate: FrameRate, timescale: Int32, threads: Int
        ) {
            (self.encoder, self.muxer, self.size, self.format, self.color) = (encoder, muxer, size, format, color)
            (self.frameRate, self.timescale, self.threads) = (frameRate, timescale, threads)
        }
    }

    private let context: CodecContext
    private let muxer: Muxer
    private let packet: Packet
    private let timescale: Int32
    /// The durations of pictures that are not yet written, by their times, in ticks.
    private var durations: [Int64: Int64] = [:]

    /// - Parameter file: empty; the caller closes it.
    package init(_ settings: Settings, to file: OutputFile) throws {
        timescale = settings.timescale
        context = try CodecContext(encoder: settings.encoder.name)
        let encoder = context.pointer
        encoder.pointee.width = Int32(clamping: settings.size.width)
        encoder.pointee.height = Int32(clamping: settings.size.height)
        encoder.pointee.pix_fmt = av_get_pix_fmt(settings.format)
        encoder.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        encoder.pointee.time_base = AVRational(num: 1, den: settings.timescale)
        encoder.pointee.framerate = AVRational(num: settings.frameRate.numerator, den: settings.frameRate.denominator)
        encoder.pointee.color_primaries = AVColorPrimaries(UInt32(settings.color.primaries))
        encoder.pointee.color_trc = AVColorTransferCharacteristic(UInt32(settings.color.transfer))
        encoder.pointee.colorspace = AVColorSpace(UInt32(settings.color.matrix))
        encoder.pointee.color_range = settings.color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        encoder.pointee.thread_count = Int32(clamping: settings.threads)
        encoder.pointee.flags |= AVCodecFlagGlobalHeader | AVCodecFlagBitExact
        for (name, value) in settings.encoder.options.sorted(by: { $0.key < $1.key }) {
            try context.setOption(name, value)
        }
        try context.open()
        packet = try Packet()
        muxer = try Muxer(
            settings.muxer.name, to: file, encoder: context,
            options: settings.muxer.options.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
    }

    /// - Parameters:
    ///   - time: in ticks of the settings' timescale; later than that of the previous picture.
    ///   - duration: in ticks.
    package func append(_ picture: Frame, at time: Int64, duration: Int64) throws {
        durations[time] = duration
        try context.send(picture.shown(at: MediaTime(value: time, timescale: timescale)))
        try drain()
    }

    /// Completes the file.
    package func finish() throws {
        try context.send(nil)
        try drain()
        try muxer.finish()
    }

    private func drain() throws {
        try context.drain(packet) { packet in
            // Most encoders do not know how long the last picture is shown.
            if let duration = durations.removeValue(forKey: packet.pointer.pointee.pts) {
                packet.pointer.pointee.duration = duration
            }
            try muxer.write(packet)
        }
    }
}
