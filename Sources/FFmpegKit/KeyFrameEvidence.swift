import CFFmpeg

/// What shows that a decoded picture is whole: that it needs no picture from before the decoder was started.
///
/// The containers' key-frame flags do not show it: some writers set them on every packet, some indexes on the wrong
/// ones.
package enum KeyFrameEvidence: Sendable, Hashable {
    /// The codec predicts no picture from another.
    case everyPicture
    /// libav's description of the codec says that it predicts no picture from another (AV_CODEC_PROP_INTRA_ONLY), and the
    /// decoder has to agree.
    case codec
    /// The decoder outputs no picture before it is whole. Only libavcodec's own for H.264 does so: it also waits until a
    /// gradual refresh is complete (recovery point, ITU-T H.264, D.2.8).
    case output
    /// The decoder reports for each picture whether it is a key frame.
    case picture
    /// Nothing does: the decoder calls every picture a key frame, though it keeps parts of earlier ones.
    case none

    init(_ codec: AVCodecID) {
        let isIntraOnly = avcodec_descriptor_get(codec).map { $0.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0 }
        if let decoder = avcodec_find_decoder(codec), String(cString: decoder.pointee.name) == "h264" {
            self = .output
        } else if Self.intraInFact.contains(codec.rawValue) {
            self = .everyPicture
        } else if Self.alwaysFlagged.contains(codec.rawValue) {
            self = .none
        } else {
            self = isIntraOnly == true ? .codec : .picture
        }
    }

    /// Codecs without prediction that libav's descriptions do not call so.
    private static let intraInFact: Set<UInt32> = Set([AV_CODEC_ID_CFHD, AV_CODEC_ID_TQI].map(\.rawValue))

    /// Codecs with pictures that change only a part of the one before. libav's decoders flag all of them as key frames of
    /// the intra type, and its descriptors call most of them intra-only.
    private static let alwaysFlagged: Set<UInt32> = Set(
        [AV_CODEC_ID_MSCC, AV_CODEC_ID_SRGC, AV_CODEC_ID_JV, AV_CODEC_ID_APNG].map(\.rawValue))
}

extension Frame {
    package enum Wholeness: Sendable, Hashable {
        /// The picture needs no other.
        case whole
        /// A gradual refresh is complete, according to the length that the stream declares.
        case refreshed
        /// It may show parts of pictures that were not decoded.
        case doubtful
        /// The decoder does not report key frames.
        case unknown
    }

    /// Whether this picture needs one from before the decoder was started; to be asked of pictures in the decoder's order
    /// until one is whole.
    package func wholeness(by evidence: KeyFrameEvidence) -> Wholeness {
        switch evidence {
        case .everyPicture: .whole
        case .codec: isFlaggedAsKey ? .whole : .doubtful
        case .output: isFlaggedAsCorrupt ? .doubtful : isFlaggedAsKey ? .whole : .refreshed
        case .picture where !hasPictureType: .unknown
        case .picture: isFlaggedAsKey && isIntraPicture ? .whole : .doubtful
        case .none: .unknown
        }
    }

    private var hasPictureType: Bool { pointer.pointee.pict_type != AV_PICTURE_TYPE_NONE }
}
