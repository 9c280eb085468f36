import Bytes
import FFmpegKit
import HeifKit
import LivePhotoKit
import LivePhotoRequests
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

    /// What becomes of the file.
    private struct Treatment {
        /// Whether it is encoded again though it could be kept.
        let isChanged: Bool
        /// Whether a picture that is encoded becomes a HEIC.
        let becomesHEIC: Bool
        let isJPEGRequested: Bool
        /// Whether a picture that is encoded can have the gain map of the old one: that of its own format.
        let canKeepGainMap: Bool

        init(_ photo: PhotoFile, _ format: PhotoMetadata.Format?, _ work: ClipWork, isEdited: Bool) {
            let requested = work.requestedPhotoFormat
            let getsOtherFormat = requested.map { ($0 == .heic) != (format == .heic) } == true
            isJPEGRequested = requested == .jpeg
            isChanged =
                isEdited || work.edit?.isProcessed == true || work.replacesPicture || getsOtherFormat
                || work.requestsSDR && photo.isHDR
            let staysHEIC = work.edit?.keepsHEIC == true && format == .heic && !isJPEGRequested
            let isEncoded = isChanged || format != .jpeg && format != .heic
            becomesHEIC = isEncoded && (work.preset.photo.format == .heic || staysHEIC)
            canKeepGainMap = becomesHEIC ? format == .heic : format == .jpeg
        }
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
    /// Is copied to the edited photo, whose pixels are then stored in the same order.
    private let gainMap: GainMap?
    /// What encoding loses of the further pictures in the file; nil for nothing.
    private let lostPictures: UserPhotoDescription.LostPictures?
    /// The quality at which the file is encoded, as estimated from its quantization; nil if it is no JPEG.
    private let ownQuality: Int?
    private let treatment: Treatment
    /// How the picture becomes the new one, if that has the full size; nil if the file is kept.
    private let change: PictureChange?
    /// Metadata that the new file does not get.
    private let leftOut: [String]
    /// Whether the file, a JPEG or HEIC, ends before its picture does.
    private let isCutOff: Bool
    /// What becomes of the movie if the file is a motion photo: galleries would play it instead of the paired video.
    private let movie: UserPhotoDescription.EmbeddedMovie?

    /// - Parameters:
    ///   - work: says what becomes of it.
    ///   - edit: how its picture is changed.
    /// - Throws: `LivePhotoError` for a photo that cannot be read, or edited so.
    init(_ photo: InputFile, for work: ClipWork, edit: PictureEdit) throws {
        (path, self.edit) = (photo.path, edit)
        let photoFile = try PhotoFile(photo)
        let (file, isReplaced) = (photoFile.bytes, work.replacesPicture)
        format = PhotoMetadata.Format(of: file)
        let reader = try? PhotoReader(photo)
        isCutOff = reader?.isCutOff ?? false
        // An edit makes a motion photo with a new movie.
        let stated = work.isEdit ? nil : try StatedMovie(in: reader, path)
        treatment = Treatment(photoFile, format, work, isEdited: !edit.isIdentity)
        do {
            if !treatment.isChanged, format == .jpeg || format == .heic {
                let file = stated?.still ?? file
                movie = stated?.fate
                let metadata = try PhotoMetadata(file)
                (size, orientation) = (metadata.displaySize, metadata.orientation)
                uncroppedSize = size
                picture = .kept(file)
                exif = metadata.exif ?? Exif()
                (ownQuality, gainMap, lostPictures) = (nil, nil, nil)
                (change, leftOut) = (nil, [])
                return
            }
            movie = stated?.isThere == true ? .leftOut : nil
            var decoded = try StillDecoder.decode(photoFile)
            let tiff = try ContainerExif.tiff(in: file)
            exif = try tiff.map { try Exif(from: ByteReader($0, structure: "Exif TIFF")) } ?? Exif()
            // The boxes of HEIC and AVIF contain the orientation, which the decoder has applied.
            let stored = format == .jpeg || format == nil ? exif.orientation : .upright
            let further = treatment.isChanged ? FurtherPictures(file) : nil
            let kept = edit.turnsAtMost && !isReplaced && treatment.canKeepGainMap ? further?.gainMap : nil
            (gainMap, lostPictures) = (kept, further.flatMap { .init($0, keepsGainMap: kept != nil) })
            ownQuality = format == .jpeg ? try JPEG(file).estimatedQuality : nil
            var video = decoded.video
            video.orientation = stored
            video = video.turned(by: edit.adjustments)
            uncroppedSize = try PictureGeometry(video, maximum: nil).photo.size
            let geometry = try PictureGeometry(video, maximum: nil, framing: edit.framing)
            let map =
                isReplaced || edit.movesUnpredictably
                ? nil : UnitMap(stored.inverse).then(geometry.photoMap(edit.adjustments))
            let codedSize = decoded.video.codedSize
            // Readers of HEIC ignore the orientation in Exif data.
            let isTurned = treatment.isChanged || treatment.becomesHEIC
            if isTurned { decoded.video.orientation = stored }
            orientation =
                isTurned ? try Self.orientation(storedFor: gainMap, of: decoded.video, in: file, edit) : stored
            size = isTurned ? geometry.photo.size : stored.swapsAxes ? codedSize.transposed : codedSize
            picture = .decoded(decoded, file: file, tiff: tiff)
            let new = PictureChange.Picture(
                size: orientation.swapsAxes ? size.transposed : size, orientation: orientation)
            let change = try PictureChange(from: .init(photoFile, decoded), to: new, map: map)
            self.change = change
            leftOut = CarriedMetadata(file, change, becomesHEIC: treatment.becomesHEIC).leftOut
        } catch let error as ParseError {
            throw LivePhotoError(.unusableMedia, path, "cannot be used as the key photo: \(error)", cause: error)
        } catch let error as FramingError {
            throw LivePhotoError(.invalidRequest, path, "\(error)", cause: error)
        }
    }

    /// The orientation of an edited photo: upright, unless its gain map is copied, whose pixels are in the order of the old file.
    private static func orientation(
        storedFor gainMap: GainMap?, of video: VideoParameters, in file: [UInt8], _ edit: PictureEdit
    ) throws -> Orientation {
        guard gainMap != nil else { return .upright }
        var turned = video
        turned.orientation = try PhotoMetadata(file).orientation
        return turned.turned(by: edit.adjustments).orientation
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
            becomesHEIC: treatment.becomesHEIC,
            becomesJPEG: treatment.isChanged && format == .heic && !treatment.becomesHEIC && !treatment.isJPEGRequested,
            lostPictures: lostPictures,
            leftOutMetadata: leftOut,
            isTransparent: isTransparent,
            isCutOff: isCutOff, movie: movie,
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
        update.orientation = keepingMetadata && format == .jpeg && !treatment.isChanged ? nil : orientation
        do {
            switch picture {
            case .kept(let file):
                return try PhotoEditor(file).applying(update, keepingMetadata: keepingMetadata)
            case .decoded(let still, let file, let tiff):
                var picture =
                    try replacement
                    ?? StillEncoder.prepare(
                        still, maximum: previewSize, background: background, edit: edit, correction: correction,
                        keepsHDR: keepsHDR && treatment.becomesHEIC, process: process)
                if gainMap != nil { picture = try picture.stored(in: orientation) }
                let photo = try encoded(
                    picture, update, keepingMetadata ? (file, tiff) : nil, quality: quality)
                guard let gainMap, previewSize == nil else { return photo }
                return try gainMap.added(
                    to: photo, orientation, keeping: keepingMetadata ? .allBut(update.outdated(exif, nil)) : .nothing)
            }
        } catch let error as ParseError {
            throw LivePhotoError(.unusableMedia, path, "its metadata cannot be changed: \(error)", cause: error)
        } catch let error as ExifTooLarge {
            throw LivePhotoError(.unusableMedia, path, "has no room for a content identifier: \(error)", cause: error)
        } catch let error as HeifError {
            throw LivePhotoError(
                error, of: path, work: "encode it as a HEIC", otherwise: "cannot be encoded as a HEIC: \(error)")
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
                old.file, change,
                without: (try? PhotoEditor(old.file).outdated(by: update)) ?? update.outdated(exif, nil),
                becomesHEIC: treatment.becomesHEIC)
        }
        guard treatment.becomesHEIC else {
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
    /// Pictures in a photo's file besides the photo that an encoded one does not get.
    package enum LostPictures: Sendable, Hashable {
        case gainMap
        case others(keepsGainMap: Bool)

        fileprivate init?(_ pictures: FurtherPictures, keepsGainMap: Bool) {
            if pictures.hasOthers {
                self = .others(keepsGainMap: keepsGainMap)
            } else if pictures.gainMap != nil, !keepsGainMap {
                self = .gainMap
            } else {
                return nil
            }
        }
    }

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
    /// What gets lost of the further pictures in the file; nil for nothing.
    package let lostPictures: LostPictures?
    /// Metadata that are left out, as they are not true of the new picture, or its format cannot hold them: nouns.
    package let leftOutMetadata: [String]
    /// Whether the picture is encoded without alpha, though it has transparent pixels.
    package let isTransparent: Bool
    /// Whether the file ends before its picture does.
    package let isCutOff: Bool
    /// What becomes of the movie in a motion photo.
    package enum EmbeddedMovie: Sendable, Hashable {
        case leftOut, kept
    }

    /// Nil for a photo without a movie.
    package let movie: EmbeddedMovie?
    package let captureDate: CaptureDate?
    package let location: GeographicLocation?
}
