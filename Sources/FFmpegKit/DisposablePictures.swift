import CFFmpeg

/// Recognizes packets whose picture no other picture refers to, by the codec's marks: H.264 with nal_ref_idc 0 (ITU-T H.264,
/// 7.4.1); HEVC by the type of the NAL unit, which applies to one temporal sub-layer only (ITU-T H.265, 7.4.2.2), and so
/// suffices if `hvcC` declares a single one (numTemporalLayers; ISO/IEC 14496-15, 8.3.3.1.3).
struct DisposablePictures {
    private enum Codec {
        case h264, hevc
    }

    private let codec: Codec
    /// Bytes of the length before each NAL unit; nil if start codes separate them.
    private let lengthSize: Int?

    /// - Parameter context: of a decoder.
    /// - Returns: nil if the codec does not mark such pictures.
    init?(_ context: UnsafePointer<AVCodecContext>) {
        let configuration = UnsafeBufferPointer(
            start: context.pointee.extradata, count: max(Int(context.pointee.extradata_size), 0))
        switch context.pointee.codec_id {
        case AV_CODEC_ID_H264:
            codec = .h264
            lengthSize = configuration.count > 4 && configuration[0] == 1 ? Int(configuration[4] & 3) + 1 : nil
        case AV_CODEC_ID_HEVC:
            guard configuration.count > 21, configuration[0] == 1, configuration[21] >> 3 & 7 == 1 else { return nil }
            codec = .hevc
            lengthSize = Int(configuration[21] & 3) + 1
        default: return nil
        }
    }

    /// Whether a packet holds such pictures and nothing that applies to later ones. May be false for some of these packets.
    func areAll(of packet: Packet) -> Bool {
        // Side data can be a new header.
        guard let lengthSize, let data = packet.pointer.pointee.data, packet.pointer.pointee.side_data_elems == 0
        else { return false }
        let bytes = UnsafeBufferPointer(start: data, count: max(Int(packet.pointer.pointee.size), 0))
        var place = 0
        var hasSlice = false
        while place < bytes.count {
            guard bytes.count - place > lengthSize else { return false }
            let length = bytes[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
            place += lengthSize
            guard length > 0, length <= bytes.count - place else { return false }
            switch kind(firstByte: bytes[place]) {
            case .disposableSlice: hasSlice = true
            case .information: break
            case .other: return false
            }
            place += length
        }
        return hasSlice
    }

    private enum Kind {
        case disposableSlice
        /// Applies to the picture of the same packet only: access unit delimiters, SEI, filler data.
        case information
        case other
    }

    /// - Parameter firstByte: of a NAL unit.
    private func kind(firstByte: UInt8) -> Kind {
        switch codec {
        case .h264:
            switch (type: firstByte & 0x1F, isReference: firstByte & 0x60 != 0) {
            case (1, false): .disposableSlice
            case (6, _), (9, _), (12, _): .information
            default: .other
            }
        case .hevc:
            switch firstByte >> 1 & 0x3F {
            case 0, 2, 4, 6, 8, 10, 12, 14: .disposableSlice
            case 35, 38, 39, 40: .information
            default: .other
            }
        }
    }
}
