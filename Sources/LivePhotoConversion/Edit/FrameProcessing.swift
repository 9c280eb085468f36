import FFmpegKit
import LivePhotoRequests
import MediaModel

/// Calls a frame processor with pictures that are ready for an encoder.
final class FrameProcessing {
    private let processor: LivePhotoFrameProcessor
    private let kind: LivePhotoFrame.Kind
    private let renderScale: Double
    private let rgb: PictureConverter.Chain
    private let encoding: PictureConverter.Chain

    /// - Parameters:
    ///   - target: the format of the pictures.
    ///   - renderScale: as in `LivePhotoFrame`.
    init(
        _ processor: @escaping LivePhotoFrameProcessor, _ kind: LivePhotoFrame.Kind, _ target: PictureFilters.Target,
        renderScale: Double
    ) {
        (self.processor, self.kind, self.renderScale) = (processor, kind, renderScale)
        let (matrix, range) = Self.names(target)
        rgb = Self.rgb(target)
        encoding = PictureConverter.Chain(
            "scale=flags=area+accurate_rnd+full_chroma_int:out_color_matrix=\(matrix):out_range=\(range)"
                + ",format=\(target.format)")
    }

    /// A picture that is ready for an encoder, as an image.
    static func image(of picture: Frame, _ target: PictureFilters.Target) throws -> LivePhotoImage {
        try LivePhotoImage(rgb(target).convert(picture))
    }

    private static func rgb(_ target: PictureFilters.Target) -> PictureConverter.Chain {
        let (matrix, range) = names(target)
        // The pixels that share a chroma sample all get it, and their average is that sample again.
        return PictureConverter.Chain(
            "scale=flags=neighbor+accurate_rnd+full_chroma_int:in_color_matrix=\(matrix):in_range=\(range),format=rgba")
    }

    /// libswscale's names of matrix and range.
    private static func names(_ target: PictureFilters.Target) -> (matrix: String, range: String) {
        (
            target.color.matrix == ColorDescription.jfif.matrix ? "bt601" : "bt709",
            target.color.isFullRange ? "full" : "limited"
        )
    }

    /// - Throws: `FrameProcessorError` for what the processor throws.
    func process(_ picture: Frame, at time: MediaTime) throws -> Frame {
        let image = try LivePhotoImage(rgb.convert(picture))
        let edited: LivePhotoImage
        do {
            edited = try processor(LivePhotoFrame(image: image, time: time, kind: kind, renderScale: renderScale))
        } catch {
            throw FrameProcessorError(cause: error)
        }
        if edited.samples === image.samples { return picture }
        guard edited.width == image.width, edited.height == image.height else {
            throw LivePhotoError(
                .invalidRequest, nil,
                "the frame processor returned a picture of \(edited.width)x\(edited.height) for one of "
                    + "\(image.width)x\(image.height); return one of the same size")
        }
        return try encoding.convert(edited.frame())
    }
}

/// Carries what a frame processor threw out of the conversion.
struct FrameProcessorError: Error {
    let cause: any Error
}
