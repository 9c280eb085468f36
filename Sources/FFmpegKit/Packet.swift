import CFFmpeg
package import MediaModel

/// Owns an AVPacket: coded data of one stream.
package final class Packet {
    let pointer: UnsafeMutablePointer<AVPacket>

    package init() throws(LibavError) {
        pointer = try allocated(av_packet_alloc(), "av_packet_alloc")
    }

    convenience init(copying data: [UInt8]) throws(LibavError) {
        try self.init()
        try check(av_new_packet(pointer, Int32(clamping: data.count)), "av_new_packet")
        _ = UnsafeMutableBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size))
            .update(fromContentsOf: data.prefix(Int(pointer.pointee.size)))
    }

    /// Takes over the stream and the times of another packet, later by some milliseconds.
    func take(from other: Packet, after milliseconds: Int64) {
        let (source, base) = (other.pointer.pointee, other.pointer.pointee.time_base)
        let ticks = av_rescale_q(milliseconds, AVRational(num: 1, den: 1000), base)
        pointer.pointee.time_base = base
        pointer.pointee.stream_index = source.stream_index
        pointer.pointee.flags = source.flags
        pointer.pointee.pts = source.pts == AVNoTimestamp ? source.pts : source.pts + ticks
        pointer.pointee.dts = source.dts == AVNoTimestamp ? source.dts : source.dts + ticks
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    package var streamIndex: Int { Int(pointer.pointee.stream_index) }
    package var isKeyFrame: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Whether the frame must be decoded but not shown, because of an edit list.
    package var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    package var presentationTime: MediaTime? { MediaTime(ticks: pointer.pointee.pts, pointer.pointee.time_base) }
    package var decodeTime: MediaTime? { MediaTime(ticks: pointer.pointee.dts, pointer.pointee.time_base) }
    /// As the container declares it; nil if it does not.
    package var duration: MediaTime? {
        pointer.pointee.duration > 0 ? MediaTime(ticks: pointer.pointee.duration, pointer.pointee.time_base) : nil
    }

    /// Moves both times.
    package func delay(by time: MediaTime) {
        let ticks = ticks(time)
        if pointer.pointee.pts != AVNoTimestamp { pointer.pointee.pts += ticks }
        if pointer.pointee.dts != AVNoTimestamp { pointer.pointee.dts += ticks }
    }

    package func present(at time: MediaTime) { pointer.pointee.pts = ticks(time) }

    private func ticks(_ time: MediaTime) -> Int64 {
        av_rescale_q(time.value, AVRational(num: 1, den: time.timescale), pointer.pointee.time_base)
    }

    /// Keeps the decoder from outputting the frame, as where an edit list hides it.
    package func discard() { pointer.pointee.flags |= AV_PKT_FLAG_DISCARD }

    /// Lets the decoder output the frame, whatever the edit list says.
    package func clearDiscard() { pointer.pointee.flags &= ~AV_PKT_FLAG_DISCARD }

    func sideData(_ kind: AVPacketSideDataType) -> [UInt8]? {
        var size = 0
        guard let data = av_packet_get_side_data(pointer, kind, &size) else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: size))
    }

    /// Adds side data of a kind that the packet does not have.
    func addSideData(_ kind: AVPacketSideDataType, _ bytes: [UInt8]) throws(LibavError) {
        let data = try allocated(av_packet_new_side_data(pointer, kind, bytes.count), "av_packet_new_side_data")
        _ = UnsafeMutableBufferPointer(start: data, count: bytes.count).update(fromContentsOf: bytes)
    }

    /// Whether the data is encrypted (Common Encryption, ISO/IEC 23001-7).
    package var isEncrypted: Bool {
        av_packet_get_side_data(pointer, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil
    }

    /// Number of audio samples at the start of the packet that are decoded but not played.
    package var skippedSamples: Int64 {
        // Two uint32, little endian: samples to skip at the start and at the end (libavcodec/packet.h).
        var size = 0
        guard let data = av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 4 else { return 0 }
        return (0..<4).reduce(0) { $0 | Int64(data[$1]) << (8 * $1) }
    }

    /// Of the coded data.
    package var byteCount: Int { Int(pointer.pointee.size) }

    /// A copy of the coded data.
    package var bytes: [UInt8] {
        guard let data = pointer.pointee.data, pointer.pointee.size > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: Int(pointer.pointee.size)))
    }
}
