import CFFmpeg

/// What packets change in a stream's decoder for all packets after them: the palette, the header, the form of the sound;
/// and which encoder made the stream.
///
/// Such side data comes once. A decoder that begins at a later packet needs it all the same.
struct DecoderState {
    private struct Change {
        let decodeTime: Int64
        let bytes: [UInt8]
    }

    /// In rising order of decode times, by kind (AVPacketSideDataType).
    private var changes: [UInt32: [Change]] = [:]
    /// The build of x264 that made an H.264 stream; nil for other encoders and unknown ones.
    private(set) var x264Build: Int?
    private var isFirst = true

    private static let kinds = [AV_PKT_DATA_PALETTE, AV_PKT_DATA_NEW_EXTRADATA, AV_PKT_DATA_PARAM_CHANGE]
    /// A clip with more of them keeps the last.
    private static let mostChanges = 256

    /// Keeps what `packet` changes.
    mutating func note(_ packet: Packet, of codec: AVCodecID) {
        if isFirst, codec == AV_CODEC_ID_H264 { x264Build = packet.x264Build }
        isFirst = false
        guard packet.pointer.pointee.side_data_elems > 0 else { return }
        for kind in Self.kinds {
            guard let bytes = packet.sideData(kind) else { continue }
            var list = changes[kind.rawValue] ?? []
            // The same packet may be read again after a seek.
            list.removeAll { $0.decodeTime == packet.decodeTicks }
            let place = list.firstIndex { $0.decodeTime > packet.decodeTicks } ?? list.endIndex
            list.insert(Change(decodeTime: packet.decodeTicks, bytes: bytes), at: place)
            if list.count > Self.mostChanges { list.removeFirst() }
            changes[kind.rawValue] = list
        }
    }

    /// Gives `packet`, the first for a decoder, what packets before it have changed.
    func complete(_ packet: Packet) throws(LibavError) {
        for kind in Self.kinds where packet.sideData(kind) == nil {
            let change = changes[kind.rawValue]?.last { $0.decodeTime <= packet.decodeTicks }
            if let change { try packet.addSideData(kind, change.bytes) }
        }
    }
}

extension Packet {
    /// In the stream's own time base; the largest number where it is not known.
    fileprivate var decodeTicks: Int64 {
        let ticks = pointer.pointee.dts == AVNoTimestamp ? pointer.pointee.pts : pointer.pointee.dts
        return ticks == AVNoTimestamp ? .max : ticks
    }

    private static let x264Signature = Array("x264 - core ".utf8)
    /// x264 writes its name into the first access unit, behind the parameter sets.
    private static let searchedBytes = 65_536

    /// The build that x264 names in an SEI message of user data.
    ///
    /// Old builds coded some pictures (4:4:4 with CABAC before 151, for one) in ways of their own, and libavcodec decodes
    /// them so.
    fileprivate var x264Build: Int? {
        guard let data = pointer.pointee.data, pointer.pointee.size > 0 else { return nil }
        let bytes = UnsafeBufferPointer(start: data, count: min(Int(pointer.pointee.size), Self.searchedBytes))
        guard let place = bytes.firstRange(of: Self.x264Signature) else { return nil }
        let digits = bytes[place.upperBound...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int(String(decoding: digits.prefix(6), as: UTF8.self))
    }
}
