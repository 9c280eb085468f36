import CFFmpeg

/// The colour that a container states of a video stream, before its pictures are read.
///
/// Before FFmpeg 9, a stream of H.264 or HEVC that does not describe its colour erases that of the container.
struct StatedColor {
    private let primaries: AVColorPrimaries
    private let transfer: AVColorTransferCharacteristic
    private let matrix: AVColorSpace

    /// Nil for other streams than video.
    init?(_ stream: UnsafeMutablePointer<AVStream>?) {
        guard let parameters = stream?.pointee.codecpar?.pointee, parameters.codec_type == AVMEDIA_TYPE_VIDEO else {
            return nil
        }
        (primaries, transfer, matrix) = (parameters.color_primaries, parameters.color_trc, parameters.color_space)
    }

    /// Sets the colour of a stream that describes nothing of it.
    func complete(_ stream: UnsafeMutablePointer<AVStream>?) {
        guard let parameters = stream?.pointee.codecpar,
            parameters.pointee.color_primaries == AVCOL_PRI_UNSPECIFIED,
            parameters.pointee.color_trc == AVCOL_TRC_UNSPECIFIED,
            parameters.pointee.color_space == AVCOL_SPC_UNSPECIFIED
        else { return }
        parameters.pointee.color_primaries = primaries
        parameters.pointee.color_trc = transfer
        parameters.pointee.color_space = matrix
    }
}
