import CFFmpeg

/// Side data of a stream's packets that applies to all later packets (palette, new header, changed audio parameters),
/// and the build of x264 that encoded the stream.
///
/// Such side data appears once. A decoder that starts at a later packet needs it too.
struct DecoderState {
    private struct Change {
        let decodeTime: Int64
        let bytes: [UInt8]
    }

    /// By kind (AVPacketSideDataType), in ascending order of decode times.
    private var changes: [UInt32: [Change]] = [:]
    /// The build of x264 that encoded an H.264 stream; nil for other encoders.
    private(set) var x264Build: Int?
    private var isFirst = true

    private static let kinds = [AV_PKT_DATA_PALETTE, AV_PKT_DATA_NEW_EXTRADATA, AV_PKT_DATA_PARAM_CHANGE]
    /// If a clip has more changes, only the last ones are kept.
    private static let mostChanges = 256

    /// Records the changes in `packet`.
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

    /// Adds the changes of earlier packets to `packet`, the first for a new decoder.
    func complete(_ packet: Packet) throws(LibavError) {
        for kind in Self.kinds where packet.sideData(kind) == nil {
            let change = changes[kind.rawValue]?.last { $0.decodeTime <= packet.decodeTicks }
            if let change { try packet.addSideData(kind, change.bytes) }
        }
    }
}

extension Packet {
    /// In the stream's time base; the largest number if unknown.
    fileprivate var decodeTicks: Int64 {
        let ticks = pointer.pointee.dts == AVNoTimestamp ? pointer.pointee.pts : pointer.pointee.dts
        return ticks == AVNoTimestamp ? .max : ticks
    }

    private static let x264Signature = Array("x264 - core ".utf8)
    /// x264 writes its name into the first access unit, after the parameter sets.
    private static let searchedBytes = 65_536

    /// The build number in x264's user data SEI message.
    ///
    /// Old builds deviated from the standard (such as 4:4:4 with CABAC before build 151), which libavcodec takes into
    /// account.
    fileprivate var x264Build: Int? {
        guard let data = pointer.pointee.data, pointer.pointee.size > 0 else { return nil }
        let bytes = UnsafeBufferPointer(start: data, count: min(Int(pointer.pointee.size), Self.searchedBytes))
        guard let place = bytes.firstRange(of: Self.x264Signature) else { return nil }
        let digits = bytes[place.upperBound...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int(String(decoding: digits.prefix(6), as: UTF8.self))
    }
}
