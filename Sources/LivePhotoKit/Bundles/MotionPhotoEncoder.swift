public import SystemPackage

/// Encodes what phones cannot play in a motion photo. `MediaEngine` of LivePhotoRequests does this.
///
/// Each output file exists, is empty, and may be in a folder that is removed soon.
public protocol MotionPhotoEncoder: Sendable {
    /// Encodes the sound of a movie as AAC-LC at 44.1 or 48 kHz.
    ///
    /// - Parameters:
    ///   - movie: a MOV or MP4.
    ///   - output: becomes a movie with nothing but the sound, on the same timeline.
    /// - Returns: whether the movie has any sound; otherwise the output is undefined.
    func encodeSound(of movie: FilePath, to output: FilePath) async throws(LivePhotoError) -> Bool

    /// Encodes the video of a movie as H.264 in SDR, with all frames and their times to 1/600 s.
    ///
    /// - Parameters:
    ///   - movie: a MOV or MP4.
    ///   - output: becomes a silent movie that begins with the first frame.
    func encodeVideo(of movie: FilePath, to output: FilePath) async throws(LivePhotoError)

    /// Encodes a photo as an upright JPEG with its Exif data, ICC profile and XMP.
    ///
    /// - Parameters:
    ///   - photo: a HEIC or AVIF.
    ///   - output: becomes the JPEG.
    func encodePhoto(_ photo: FilePath, to output: FilePath) async throws(LivePhotoError)
}
