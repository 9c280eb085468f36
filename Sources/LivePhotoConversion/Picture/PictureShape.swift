package import FFmpegKit
package import MediaModel

/// The size of a stored picture and of its pixels; both may change within a clip.
package struct PictureShape: Sendable, Hashable {
    package let size: PixelSize
    package let sampleAspectRatio: AspectRatio

    /// The shape that the container declares, or that was found by decoding.
    package init(of video: VideoParameters) {
        size = video.codedSize
        sampleAspectRatio = video.sampleAspectRatio
    }

    /// The shape of a decoded picture of the clip.
    package init(of frame: Frame, in video: VideoParameters) {
        size = frame.size
        let ofFrame = video.hasContainerAspectRatio ? nil : frame.sampleAspectRatio
        sampleAspectRatio = ofFrame ?? video.sampleAspectRatio
    }

    /// The size in square pixels.
    var displaySize: PixelSize {
        PixelSize(width: Int((Double(size.width) * sampleAspectRatio.value).rounded()), height: size.height)
    }
}

extension VideoParameters {
    /// The parameters for pictures of another shape in the same clip.
    package func shaped(_ shape: PictureShape) -> VideoParameters {
        var copy = self
        copy.sampleAspectRatio = shape.sampleAspectRatio
        guard shape.size != codedSize else { return copy }
        copy.codedSize = shape.size
        // The clean aperture applies to the other size only.
        copy.cleanAperture = nil
        // The color of an untagged clip follows from its first size, not from each of its sizes.
        copy.color = color.completed(forSize: codedSize)
        return copy
    }
}

extension PictureShape: CustomStringConvertible {
    /// `720x576`, `720x576 (pixels of 16:15)`
    package var description: String {
        sampleAspectRatio.isSquare ? "\(size)" : "\(size) (pixels of \(sampleAspectRatio))"
    }
}
