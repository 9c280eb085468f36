import CFFmpeg

/// Owns the AVCodecContext of a decoder or an encoder.
final class CodecContext {
    let pointer: UnsafeMutablePointer<AVCodecContext>

    init(_ codec: UnsafePointer<AVCodec>?) throws(LibavError) {
        LibavLog.takeOver()
        pointer = try allocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&context)
    }

    /// - Throws: `LibavError`, also if this build of libavcodec has no encoder of this name.
    convenience init(encoder name: String) throws(LibavError) {
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw LibavError(call: "avcodec_find_encoder_by_name(\(name))", code: AVErrorInvalidArgument)
        }
        try self.init(codec)
        pointer.pointee.codec_id = codec.pointee.id
    }

    func setOption(_ name: String, _ value: String) throws(LibavError) {
        try check(av_opt_set(pointer, name, value, AV_OPT_SEARCH_CHILDREN), "av_opt_set")
    }

    func open() throws(LibavError) {
        try check(avcodec_open2(pointer, pointer.pointee.codec, nil), "avcodec_open2")
    }

    /// The encoder's parameter sets or configuration.
    var extradata: [UInt8] {
        guard let data = pointer.pointee.extradata, pointer.pointee.extradata_size > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: Int(pointer.pointee.extradata_size)))
    }

    /// Gives a frame to an encoder; nil signals the end.
    func send(_ frame: Frame?) throws(LibavError) {
        try check(avcodec_send_frame(pointer, frame?.pointer), "avcodec_send_frame")
    }

    /// Calls `body` with each packet that the encoder has finished.
    func drain(_ packet: Packet, _ body: (Packet) throws -> Void) throws {
        while true {
            let status = avcodec_receive_packet(pointer, packet.pointer)
            if status == AVErrorAgain || status == AVErrorEndOfFile { return }
            try check(status, "avcodec_receive_packet")
            defer { av_packet_unref(packet.pointer) }
            packet.pointer.pointee.time_base = pointer.pointee.time_base
            try body(packet)
        }
    }
}
