import FFmpegKit
import HeifKit
import LivePhotoKit
import LivePhotoRequests
package import MediaModel
package import StillImage

/// Where the key photo comes from, and how it is changed.
package enum KeyPhotoPlan: Sendable, Hashable {
    /// The clip's frame at the still time, with its display size.
    case frame(PixelSize)
    /// A photo that the user supplied.
    case userPhoto(UserPhotoDescription, ExifUpdate, keepsMetadata: Bool)

    /// The size for display.
    package var size: PixelSize {
        switch self {
        case .frame(let size): size
        case .userPhoto(let photo, _, _): photo.size
        }
    }

    package var isFrame: Bool {
        if case .frame = self { true } else { false }
    }

    /// Whether a photo that the user supplied keeps its picture.
    var keepsPicture: Bool {
        if case .userPhoto(let photo, _, _) = self { photo.isKept } else { false }
    }

    /// - Parameters:
    ///   - photo: the user's; nil for a frame.
    ///   - size: of the key photo.
    init(
        _ work: ClipWork, _ photo: UserPhotoDescription?, size: PixelSize, _ identifier: ContentIdentifier,
        clip: ClipMetadata
    ) {
        guard var photo else {
            self = .frame(size)
            return
        }
        photo.size = size
        let outside = work.outsideMetadata ?? OutsideMetadata()
        let clip = work.isEdit ? ClipMetadata() : clip.completed(by: outside)
        let mode = work.preset.metadata
        let (hasDate, hasLocation) = (mode != .discard, mode == .keep)
        // The photo's own date and place take precedence over the clip's, the request's over both.
        self = .userPhoto(
            photo,
            ExifUpdate(
                contentIdentifier: .set(identifier),
                captureDate: outside.requestedDate.map { .set($0.date) }
                    ?? (hasDate ? clip.captureDate.map { .fillIn($0) } ?? .keep : .remove),
                location: hasLocation ? clip.location.map { .fillIn($0) } ?? .keep : .remove),
            keepsMetadata: mode != .discard)
    }
}

extension ConversionPlan {
    /// How much more light a frame of the clip has than the picture of the key photo; nil if it gets no gain map.
    ///
    /// - Parameter picture: in the format of `pictures.photo`, made of the frame.
    func gainMap(of frame: Frame, for picture: Frame) throws -> GainMapPicture? {
        guard let filters = pictures.gainMap?.adapted(to: frame) else { return nil }
        let light = try PictureConverter(filters, threads: processingThreads).convert(frame).halvedLuminance(
            at: filters.pictureInCanvas, of: picture.size)
        return try GainMapPicture(hdr: light, rendering: picture)
    }

    /// A file of a picture from the clip, with the plan's date, place and camera.
    ///
    /// - Parameters:
    ///   - picture: in the format of `pictures.photo`.
    ///   - gainMap: of the picture; nil for none.
    ///   - identifier: nil for a picture that belongs to no Live Photo.
    func keyPhoto(
        _ picture: Frame, gainMap: GainMapPicture? = nil, identifier: ContentIdentifier?
    ) throws -> [UInt8] {
        let color = pictures.photo.target.color
        func exif(_ size: PixelSize) -> [UInt8] {
            var tiff = Exif(
                size: size, contentIdentifier: identifier, captureDate: metadata.written.captureDate,
                make: metadata.written.make, model: metadata.written.model, location: metadata.written.location
            ).tiff
            // CIPA DC-008, 4.6.6: not sRGB.
            if color.isHDR { tiff.exif?[.colorSpace] = .short(.colorSpace, 0xFFFF) }
            if work.preset.photo.format == .heic, let identifier, let gainMap {
                var note = AppleMakerNote(contentIdentifier: identifier)
                note.setHeadroom(gainMap.parameters.alternateHeadroom)
                tiff.exif?[.makerNote] = .undefined(.makerNote, note.bytes)
            }
            return tiff.bytes
        }
        guard work.preset.photo.format == .jpeg else {
            do {
                let file = try StillEncoder.heic(
                    StillEncoder.Prepared(frame: picture, color: color),
                    quality: StillEncoder.heicQuality(photoQuality),
                    speed: .small, exif: exif(picture.size))
                guard let gainMap else { return file }
                return try StillEncoder.heic(gainMap, quality: photoQuality, of: picture.size).added(
                    to: file, .upright)
            } catch let error as HeifError {
                throw LivePhotoError(
                    error, of: clip, work: "encode its frame as a HEIC",
                    otherwise: "its frame cannot be encoded as a HEIC: \(error)")
            }
        }
        let jpeg = try JPEG(try JPEGEncoder.encode(picture, quality: photoQuality))
        let file = try jpeg.replacingExif(with: exif(jpeg.size), keeping: .nothing)
        guard let gainMap else { return file }
        return try StillEncoder.jpeg(gainMap, quality: photoQuality).added(to: file, .upright)
    }
}
