import Bytes
import FFmpegKit
import HeifKit
import LivePhotoKit
package import MediaModel
import StillImage

package import struct SystemPackage.FilePath

/// A photo that the user supplies as the key photo. In a JPEG or HEIC whose picture is not edited, only metadata is changed;
/// any other is re-encoded.
struct UserPhoto: Sendable {
    private enum Picture: Sendable {
        /// The contents of the whole file.
        case kept([UInt8])
        /// With the contents of the whole file, and its Exif data, starting with the TIFF header.
        case decoded(DecodedStill, file: [UInt8], tiff: [UInt8]?)
    }

    let path: FilePath
    /// The size for display, after the edit.
    private let size: PixelSize
    /// The same without cropping.
    private let uncroppedSize: PixelSize
    private let exif: Exif
    private let picture: Picture
    private let format: PhotoMetadata.Format?
    /// The orientation that the key photo states.
    private let orientation: Orientation
    private let edit: PictureEdit
    private let isChanged: Bool
    /// Is copied to the edited photo, whose pixels are then stored in the same order.
    private let gainMap: GainMap?
    /// Whether encoding loses further pictures in the file.
    private let losesPictures: Bool
    /// The quality at which the file is encoded, as estimated from its quantization; nil if it is no JPEG.
    private let ownQuality: Int?
    /// Whether a picture that is encoded becomes a HEIC.
    private let becomesHEIC: Bool
    private let isJPEGRequested: Bool
    /// How the picture becomes the new one, if that has the full size; nil if the file is kept.
    private let change: PictureChange?
    /// Metadata that the new file does not get.
    private let leftOut: [String]

    /// - Throws: `LivePhotoError` for a photo that cannot be read, or edited so.
    ///
    /// - Parameters:
    ///   - edit: how its picture is changed.
    ///   - isProcessed: whether a frame processor changes its picture.
    ///   - isReplaced: whether it gets another picture.
    ///   - keepsHEIC: whether an edited HEIC stays one.
    ///   - encoding: the format of any other picture that is encoded.
    ///   - requestedFormat: the format that the photo gets in any case; nil if it may keep its own.
    ///   - needsSDR: whether it is tone-mapped if it is HDR, though nothing else changes.
    init(
        _ photo: InputFile, edit: PictureEdit = PictureEdit(), isProcessed: Bool = false, isReplaced: Bool = false,
        keepsHEIC: Bool = false, encoding: KeyPhotoFormat = .jpeg, requestedFormat: KeyPhotoFormat? = nil,
        needsSDR: Bool = false
    ) throws {
        path = photo.path
        self.edit = edit
        let photoFile = try PhotoFile(photo)
        let file = photoFile.bytes
        let format = PhotoMetadata.Format(of: file)
        self.format = format
        let getsOtherFormat = requestedFormat.map { ($0 == .heic) != (format == .heic) } == true
        let isToneMapped = needsSDR && photoFile.isHDR
        let isChanged = isProcessed || isReplaced || getsOtherFormat || isToneMapped || !edit.isIdentity
        self.isChanged = isChanged
        let isEncoded = isChanged || format != .jpeg && format != .heic
        isJPEGRequested = requestedFormat == .jpeg
        becomesHEIC = isEncoded && (encoding == .heic || keepsHEIC && format == .heic && !isJPEGRequested)
        do {
            if !isChanged, format == .jpeg || format == .heic {
                let metadata = try PhotoMetadata(file)
                (size, orientation) = (metadata.displaySize, metadata.orientation)
                uncroppedSize = size
                picture = .kept(file)
                exif = metadata.exif ?? Exif()
                (ownQuality, gainMap, losesPictures) = (nil, nil, false)
                (change, leftOut) = (nil, [])
                return
            }
            var decoded = try StillDecoder.decode(photoFile)
            let tiff = try ContainerExif.tiff(in: file)
            exif = try tiff.map { try Exif(from: ByteReader($0, structure: "Exif TIFF")) } ?? Exif()
            // The boxes of HEIC and AVIF contain the orientation, which the decoder has applied.
            let stored = format == .jpeg || format == nil ? exif.orientation : .upright
            let further = isChanged ? FurtherPictures(file) : nil
            let keepsGainMap = edit.turnsAtMost && !isReplaced && (becomesHEIC ? format == .heic : format == .jpeg)
            let gainMap = keepsGainMap ? further?.gainMap : nil
            self.gainMap = gainMap
            losesPictures = further.map { $0.hasOthers || $0.gainMap != nil && gainMap == nil } ?? false
            ownQuality = format == .jpeg ? try JPEG(file).estimatedQuality : nil
            var video = decoded.video
            video.orientation = stored
            video = video.turned(by: edit.adjustments)
            uncroppedSize = try PictureGeometry(video, maximum: nil).photo.size
            let old = try PictureChange.Picture(photoFile, decoded)
            let geometry = try PictureGeometry(video, maximum: nil, framing: edit.framing)
            let map =
                isReplaced || edit.movesUnpredictably
                ? nil : UnitMap(stored.inverse).then(geometry.photoMap(edit.adjustments))
            // Readers of HEIC ignore the orientation in Exif data.
            if !isChanged, !becomesHEIC {
                orientation = stored
                let size = decoded.video.codedSize
                self.size = stored.swapsAxes ? size.transposed : size
            } else {
                decoded.video.orientation = stored
                var turned = decoded.video
                turned.orientation = try gainMap.map { _ in try PhotoMetadata(file).orientation } ?? .upright
                orientation = gainMap == nil ? .upright : turned.turned(by: edit.adjustments).orientation
                size = geometry.photo.size
            }
            picture = .decoded(decoded, file: file, tiff: tiff)
            let storedSize = orientation.swapsAxes ? size.transposed : size
            let change = PictureChange(
                from: old, to: PictureChange.Picture(size: storedSize, orientation: orientation), map: map)
            self.change = change
            leftOut = CarriedMetadata(file, change, becomesHEIC: becomesHEIC).leftOut
        } catch let error as ParseError {
            throw LivePhotoError(.unusableMedia, path, "cannot be used as the key photo: \(error)", cause: error)
        } catch let error as FramingError {
            throw LivePhotoError(.invalidRequest, path, "\(error)", cause: error)
        }
    }

    var description: UserPhotoDescription {
        let (isKept, isTransparent) =
            switch picture {
            case .kept: (true, false)
            case .decoded(let still, _, _):
                (false, still.frame.isTransparent(in: PixelRectangle(size: still.frame.size)))
            }
        return UserPhotoDescription(
            path: path, size: size, uncroppedSize: uncroppedSize, isKept: isKept,
            becomesHEIC: becomesHEIC,
            becomesJPEG: isChanged && format == .heic && !becomesHEIC && !isJPEGRequested, losesPictures: losesPictures,
            leftOutMetadata: leftOut,
            isTransparent: isTransparent,
            captureDate: exif.captureDate,
            location: exif.location)
    }

    /// The contents of the key photo's file.
    ///
    /// - Parameters:
    ///   - keepingMetadata: whether to keep all metadata that `update` does not change, or only the orientation.
    ///   - quality: if the picture becomes a JPEG, from 1 to 100; at least that of the file.
    ///   - background: fills transparent parts if the picture is encoded.
    ///   - previewSize: the size that the picture is scaled down to fit.
    ///   - replacement: a picture in place of the photo's, in the format of the encoder.
    ///   - correction: steadies the picture.
    ///   - keepsHDR: whether PQ and HLG stay so in a HEIC.
    ///   - process: changes the picture before it is encoded.
    /// - Throws: `LivePhotoError` for metadata that cannot be changed.
    func contents(
        _ update: ExifUpdate, keepingMetadata: Bool, quality: Int, background: BackgroundColor,
        previewSize: MaximumSize? = nil, replacement: StillEncoder.Prepared? = nil,
        correction: PictureCorrection? = nil, keepsHDR: Bool = false,
        process: StillEncoder.Process? = nil
    ) throws -> [UInt8] {
        var update = update
        // Without an edit, the kept metadata already has the orientation.
        update.orientation = keepingMetadata && format == .jpeg && !isChanged ? nil : orientation
        do {
            switch picture {
            case .kept(let file):
                let editor = try PhotoEditor(file)
                let mayStateLocation = update.location == .remove && editor.mayStateLocationOutsideExif
                return try editor.applying(
                    update, keepingExif: keepingMetadata, droppingXMP: !keepingMetadata || mayStateLocation)
            case .decoded(let still, let file, let tiff):
                var picture =
                    try replacement
                    ?? StillEncoder.prepare(
                        still, maximum: previewSize, background: background, edit: edit, correction: correction,
                        keepsHDR: keepsHDR && becomesHEIC, process: process)
                if gainMap != nil { picture = try picture.stored(in: orientation) }
                let photo = try encoded(
                    picture, update, keepingMetadata ? (file, tiff) : nil, quality: quality)
                guard let gainMap, previewSize == nil else { return photo }
                return try gainMap.added(to: photo, orientation)
            }
        } catch let error as ParseError {
            throw LivePhotoError(.unusableMedia, path, "its metadata cannot be changed: \(error)", cause: error)
        } catch let error as ExifTooLarge {
            throw LivePhotoError(.unusableMedia, path, "has no room for a content identifier: \(error)", cause: error)
        } catch let error as HeifError {
            throw LivePhotoError(.unusableMedia, path, "cannot be encoded as a HEIC: \(error)", cause: error)
        }
    }

    /// - Parameter old: the file whose metadata are kept, and its Exif data, which the update is applied to; nil for none.
    private func encoded(
        _ picture: StillEncoder.Prepared, _ update: ExifUpdate, _ old: (file: [UInt8], tiff: [UInt8]?)?, quality: Int
    ) throws -> [UInt8] {
        let new = PictureChange.Picture(size: picture.frame.size, orientation: orientation)
        let change = change.map { PictureChange(from: $0.old, to: new, map: $0.map) }
        var carried = CarriedMetadata()
        if let old, let change {
            carried = CarriedMetadata(
                old.file, change, keepsLocation: update.location != .remove, becomesHEIC: becomesHEIC)
        }
        guard becomesHEIC else {
            var jpeg = try JPEG(StillEncoder.jpeg(picture, quality: max(quality, ownQuality ?? 0)))
            jpeg = try carried.added(to: jpeg)
            return try jpeg.replacingExif(
                with: try update.applied(to: old?.tiff, of: EncodedPicture(jpeg), from: change))
        }
        let encoded = EncodedPicture(
            size: picture.frame.size, isSRGB: picture.iccProfile == nil && !picture.color.isHDR)
        return try StillEncoder.heic(
            picture, exif: try update.applied(to: old?.tiff, of: encoded, from: change), xmp: carried.xmp)
    }
}

/// The properties of a user-supplied photo that a plan is made from.
package struct UserPhotoDescription: Sendable, Hashable {
    package let path: FilePath
    /// The size for display.
    package var size: PixelSize
    /// The same before cropping.
    package var uncroppedSize: PixelSize
    /// Whether its picture data is kept; otherwise it is encoded.
    package let isKept: Bool
    /// Whether it is encoded as a HEIC.
    package let becomesHEIC: Bool
    /// Whether a HEIC is encoded as JPEG, because its picture is edited.
    package let becomesJPEG: Bool
    /// Whether further pictures in the file, such as a gain map, get lost.
    package let losesPictures: Bool
    /// Metadata that are left out, as they are not true of the new picture, or its format cannot hold them: nouns.
    package let leftOutMetadata: [String]
    /// Whether the picture is encoded without alpha, though it has transparent pixels.
    package let isTransparent: Bool
    package let captureDate: CaptureDate?
    package let location: GeographicLocation?
}
