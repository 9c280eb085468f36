import FFmpegKit
import LivePhotoRequests
import MediaModel
import Synchronization

/// Converts between pictures that are ready for an encoder and images in RGB.
final class PixelAccess {
    private let rgb: PictureConverter.Chain
    private let encoding: PictureConverter.Chain

    /// - Parameters:
    ///   - target: the format of the pictures.
    ///   - isDeep: whether the images have 16 bits per component instead of 8, and pictures come back unchanged, which
    ///     takes longer.
    init(_ target: PictureFilters.Target, isDeep: Bool = false) {
        if isDeep {
            func conversion(from: AdjustmentChain.Layout, to: AdjustmentChain.Layout) -> [String] {
                PictureFilters.conversion(from: from, to: to, target, target.canvas.size)
            }
            rgb = PictureConverter.Chain(
                (conversion(from: .encoder, to: .deepRGB) + ["format=rgba64le"]).joined(separator: ","))
            encoding = PictureConverter.Chain(
                (["format=gbrp16le"] + conversion(from: .deepRGB, to: .encoder)).joined(separator: ","))
            return
        }
        let matrix = target.color.matrix == ColorDescription.jfif.matrix ? "bt601" : "bt709"
        let range = target.color.isFullRange ? "full" : "limited"
        // The pixels that share a chroma sample all get it, and their average is that sample again.
        rgb = PictureConverter.Chain(
            "scale=flags=neighbor+accurate_rnd+full_chroma_int:in_color_matrix=\(matrix):in_range=\(range),format=rgba")
        encoding = PictureConverter.Chain(
            "scale=flags=area+accurate_rnd+full_chroma_int:out_color_matrix=\(matrix):out_range=\(range)"
                + ",format=\(target.format)")
    }

    func image(of picture: Frame) throws -> LivePhotoImage { try LivePhotoImage(rgb.convert(picture)) }

    func picture(_ image: LivePhotoImage) throws -> Frame { try encoding.convert(image.frame()) }
}

/// The same for several threads: a processor may read an image on a thread of its own, and later.
private final class SharedPixelAccess: Sendable {
    private let access: Mutex<PixelAccess>

    init(_ target: PictureFilters.Target) { access = Mutex(PixelAccess(target)) }

    func image(of picture: Frame) throws -> LivePhotoImage { try access.withLock { try $0.image(of: picture) } }

    func picture(_ image: LivePhotoImage) throws -> Frame { try access.withLock { try $0.picture(image) } }
}

/// Calls a frame processor with pictures that are ready for an encoder.
final class FrameProcessing {
    private let processor: LivePhotoFrameProcessor
    private let kind: LivePhotoFrame.Kind
    private let renderScale: Double
    private let pixels: SharedPixelAccess

    /// - Parameters:
    ///   - target: the format of the pictures.
    ///   - renderScale: as in `LivePhotoFrame`.
    init(
        _ processor: @escaping LivePhotoFrameProcessor, _ kind: LivePhotoFrame.Kind, _ target: PictureFilters.Target,
        renderScale: Double
    ) {
        (self.processor, self.kind, self.renderScale) = (processor, kind, renderScale)
        pixels = SharedPixelAccess(target)
    }

    /// - Throws: `FrameProcessorError` for what the processor throws.
    func process(_ picture: Frame, at time: MediaTime) throws -> Frame {
        let image = LivePhotoImage(picture.size) { [pixels] in try pixels.image(of: picture) }
        let edited: LivePhotoImage
        do {
            edited = try processor(LivePhotoFrame(image: image, time: time, kind: kind, renderScale: renderScale))
        } catch {
            throw FrameProcessorError(cause: error)
        }
        if let failure = image.samples.failure { throw failure }
        if edited.samples === image.samples { return picture }
        guard edited.width == image.width, edited.height == image.height else {
            throw LivePhotoError(
                .invalidRequest, nil,
                "the frame processor returned a picture of \(edited.width)x\(edited.height) for one of "
                    + "\(image.width)x\(image.height); return one of the same size")
        }
        return try pixels.picture(edited)
    }
}

/// Carries what a frame processor threw out of the conversion.
struct FrameProcessorError: Error {
    let cause: any Error
}
