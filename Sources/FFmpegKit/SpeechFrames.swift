/// The frames of speech codecs, each 20 ms long, of which several may share a packet: libavcodec's decoders decode the
/// first one and ignore the others.
package enum SpeechFrames {
    /// How long one frame lasts, in milliseconds.
    static let milliseconds: Int64 = 20

    /// The frames that a packet consists of.
    ///
    /// - Parameter codec: libav's name.
    /// - Returns: the packet itself for other codecs, for a frame of an unknown type, and if the last frame is cut off.
    package static func split(_ packet: [UInt8], codec: String) -> [[UInt8]] {
        if codec == "speex" { return SpeexFrames.split(packet) ?? [packet] }
        guard let size = frameSize(codec) else { return [packet] }
        var frames: [[UInt8]] = []
        var offset = 0
        // Only the first byte of a frame determines its size.
        while offset < packet.count {
            guard let bytes = size(packet[offset]), bytes <= packet.count - offset else { return [packet] }
            frames.append(Array(packet[offset..<offset + bytes]))
            offset += bytes
        }
        return frames.isEmpty ? [packet] : frames
    }

    /// Whether packets of a codec may consist of frames that its decoder does not divide.
    ///
    /// - Parameter isConfigured: whether the decoder has a header. That of Speex states the number of frames.
    static func isUsed(by codec: String, isConfigured: Bool) -> Bool {
        codec == "speex" ? !isConfigured : frameSize(codec) != nil
    }

    /// The size of the frame that begins with a byte, in bytes; nil for an unknown type.
    private static func frameSize(_ codec: String) -> ((UInt8) -> Int?)? {
        switch codec {
        // RFC 4867, 5.3: one byte with the frame type, and the speech bits of 3GPP TS 26.101 and 26.201.
        case "amr_nb": { entry([13, 14, 16, 18, 20, 21, 27, 32, 6, 7, 6, 6, nil, nil, nil, 1], $0 >> 3 & 15) }
        case "amr_wb": { entry([18, 24, 33, 37, 41, 47, 51, 59, 61, 6, nil, nil, nil, nil, 1, 1], $0 >> 3 & 15) }
        // RFC 2658, 3.2: blank, rates 1/8, 1/4, 1/2 and 1; an erasure.
        case "qcelp": { $0 == 14 ? 1 : entry([1, 4, 8, 17, 35], $0) }
        // RFC 3558, 7: blank, rates 1/8, 1/2 and 1; an erasure.
        case "evrc": { entry([1, 3, nil, 11, 23, 1], $0) }
        default: nil
        }
    }

    private static func entry(_ sizes: [Int?], _ type: UInt8) -> Int? {
        sizes.indices.contains(Int(type)) ? sizes[Int(type)] : nil
    }
}

extension Decoder {
    /// The packets that this decoder takes one after another for a packet: one for each speech frame, and the packet itself
    /// for all other codecs.
    package func packets(of packet: Packet) throws(LibavError) -> [Packet] {
        guard SpeechFrames.isUsed(by: codecName, isConfigured: isConfigured) else { return [packet] }
        let frames = SpeechFrames.split(packet.bytes, codec: codecName)
        guard frames.count > 1 else { return [packet] }
        var packets: [Packet] = []
        for (index, frame) in frames.enumerated() {
            let part = try Packet(copying: frame)
            part.take(from: packet, after: Int64(index) * SpeechFrames.milliseconds)
            packets.append(part)
        }
        return packets
    }
}
