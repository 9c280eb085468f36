import CFFmpeg

/// How to recognize that a decoded picture is complete: that it depends on no picture before the decoder's first
/// packet.
///
/// The containers' key-frame flags are not reliable: some muxers set them on every packet, some indexes on the wrong
/// ones.
package enum KeyFrameEvidence: Sendable, Hashable {
    /// Always: the codec predicts no picture from another.
    case everyPicture
    /// libav describes the codec as one without prediction between pictures (AV_CODEC_PROP_INTRA_ONLY); the decoder
    /// must also report a key frame.
    case codec
    /// By the decoder's first output. Only libavcodec's H.264 decoder outputs no incomplete picture: it also waits
    /// until a gradual refresh is complete (recovery point, ITU-T H.264, D.2.8).
    case output
    /// The decoder reports for each picture whether it is a key frame.
    case picture
    /// The decoder reports for each picture whether it was predicted from another, but no key frames: FFmpeg before 6.1 then flags
    /// all pictures as such, and later versions none.
    case intraPicture
    /// Not at all: the decoder reports every picture as a key frame, though it keeps parts of earlier ones.
    case none

    init(_ codec: AVCodecID) {
        let isIntraOnly = avcodec_descriptor_get(codec).map { $0.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0 }
        if let decoder = avcodec_find_decoder(codec), String(cString: decoder.pointee.name) == "h264" {
            self = .output
        } else if Self.intraOnly.contains(codec.rawValue) {
            self = .everyPicture
        } else if Self.alwaysFlagged.contains(codec.rawValue) {
            self = .none
        } else if codec == AV_CODEC_ID_SVQ1 {
            self = .intraPicture
        } else {
            self = isIntraOnly == true ? .codec : .picture
        }
    }

    /// Codecs without prediction that libav does not describe as such.
    private static let intraOnly: Set<UInt32> = Set([AV_CODEC_ID_CFHD, AV_CODEC_ID_TQI].map(\.rawValue))

    /// Codecs with pictures that change only a part of the previous one. libav's decoders flag all of them as intra key
    /// frames, and libav describes most of these codecs as intra-only.
    private static let alwaysFlagged: Set<UInt32> = Set(
        [AV_CODEC_ID_MSCC, AV_CODEC_ID_SRGC, AV_CODEC_ID_JV, AV_CODEC_ID_APNG].map(\.rawValue))
}

extension Frame {
    package enum Completeness: Sendable, Hashable {
        /// The picture depends on no other.
        case complete
        /// A gradual refresh is complete, according to the length that the stream declares.
        case refreshed
        /// It may depend on pictures that were not decoded.
        case uncertain
        /// The decoder does not report key frames.
        case unknown
    }

    /// Whether this picture depends on one before the decoder's first packet. Check the pictures in the decoder's order
    /// until one is complete.
    package func completeness(by evidence: KeyFrameEvidence) -> Completeness {
        switch evidence {
        case .everyPicture: .complete
        case .codec: isFlaggedAsKey ? .complete : .uncertain
        case .output: isFlaggedAsCorrupt ? .uncertain : isFlaggedAsKey ? .complete : .refreshed
        case .picture where pointer.pointee.pict_type == AV_PICTURE_TYPE_NONE: .unknown
        case .picture: isFlaggedAsKey && isIntraPicture ? .complete : .uncertain
        case .intraPicture: isIntraPicture ? .complete : .uncertain
        case .none: .unknown
        }
    }
}
