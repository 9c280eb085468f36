import Bytes
import CFFmpeg
import SystemPackage

/// Owns libavformat's muxer of a file with one stream.
final class Muxer {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let sink: FileSink
    private let stream: UnsafeMutablePointer<AVStream>

    /// Writes the header.
    ///
    /// - Parameters:
    ///   - name: libavformat's name of the format: `gif`.
    ///   - file: empty.
    ///   - encoder: opened; its packets are the stream.
    ///   - options: the muxer's.
    init(
        _ name: String, to file: OutputFile, encoder: CodecContext, options: [(name: String, value: String)]
    ) throws {
        LibavLog.takeOver()
        sink = try FileSink(file)
        var context: UnsafeMutablePointer<AVFormatContext>?
        try check(avformat_alloc_output_context2(&context, nil, name, nil), "avformat_alloc_output_context2")
        self.context = try allocated(context, "avformat_alloc_output_context2")
        let output = self.context
        // From here on, `deinit` frees the context if an error is thrown.
        stream = try Self.addStream(to: output, encoder)
        output.pointee.pb = sink.context
        output.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        // Otherwise the version of libavformat would be written.
        output.pointee.flags |= AVFMT_FLAG_BITEXACT
        for option in options {
            try check(av_opt_set(output.pointee.priv_data, option.name, option.value, 0), "av_opt_set")
        }
        try written(avformat_write_header(output, nil), "avformat_write_header")
    }

    private static func addStream(
        to output: UnsafeMutablePointer<AVFormatContext>, _ encoder: CodecContext
    ) throws(LibavError) -> UnsafeMutablePointer<AVStream> {
        guard let stream = avformat_new_stream(output, nil) else {
            avformat_free_context(output)
            throw LibavError(call: "avformat_new_stream", code: AVErrorNoMemory)
        }
        stream.pointee.time_base = encoder.pointer.pointee.time_base
        stream.pointee.avg_frame_rate = encoder.pointer.pointee.framerate
        stream.pointee.sample_aspect_ratio = encoder.pointer.pointee.sample_aspect_ratio
        let status = avcodec_parameters_from_context(stream.pointee.codecpar, encoder.pointer)
        guard status >= 0 else {
            avformat_free_context(output)
            throw LibavError(call: "avcodec_parameters_from_context", code: status)
        }
        return stream
    }

    deinit {
        avformat_free_context(context)
    }

    /// Writes a packet of the encoder.
    func write(_ packet: Packet) throws {
        packet.pointer.pointee.stream_index = stream.pointee.index
        av_packet_rescale_ts(packet.pointer, packet.pointer.pointee.time_base, stream.pointee.time_base)
        try written(av_write_frame(context, packet.pointer), "av_write_frame")
    }

    /// Completes the file.
    func finish() throws {
        try written(av_write_trailer(context), "av_write_trailer")
    }

    /// - Throws: the `Errno` of the file if there is one, otherwise `LibavError`.
    private func written(_ status: Int32, _ call: StaticString) throws {
        try sink.flush()
        try check(status, call)
    }
}
