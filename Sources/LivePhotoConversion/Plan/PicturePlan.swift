package import FFmpegKit
package import LivePhotoRequests
import MediaModel

/// How the clip's pictures become those of the movie and the photo.
package struct PicturePlan: Sendable, Hashable {
    let coding: OutputCoding
    /// That of the movie.
    let geometry: PictureGeometry
    /// The size of the key photo, upright.
    let photoSize: PixelSize
    /// The sizes at which pictures are adjusted.
    private let adjustedSizes: Set<PixelSize>
    package let movie: PictureFilters
    package let photo: PictureFilters
    /// Whether the key photo is encoded as a HEIC.
    let photoIsHEIC: Bool
    /// Makes the light of which the key photo's gain map is made; nil if it gets none.
    let gainMap: PictureFilters?
    /// Fills the transparent parts of the clip, and of a photo that is encoded.
    package let background: BackgroundColor

    /// - Parameters:
    ///   - userPhoto: describes the user's photo.
    ///   - colorTable: the one that the settings name.
    ///   - encoders: an edit keeps the codec of its movie if there is one for it.
    package init(
        _ decoding: DecodingPlan, userPhoto: UserPhotoDescription? = nil, colorTable: ColorTable? = nil,
        encoders: AvailableEncoders = .installed
    ) throws(LivePhotoError) {
        let (work, picture) = (decoding.work, decoding.picture)
        let settings = work.preset
        let isLongExposure = settings.motion.effect == .longExposure
        let geometry = try Self.geometry(decoding) { framing in
            guard work.isEdit, let userPhoto, let crop = framing.crop else { return }
            let upright = try PictureGeometry(picture, maximum: nil).photo.size
            framing.crop = crop.scaled(from: userPhoto.uncroppedSize, to: upright)
        }
        var photoGeometry = geometry
        if work.replacesPicture, isLongExposure, settings.picture.framing.crop == nil, let shown = userPhoto?.size {
            // It has the shape of the photo that it replaces.
            photoGeometry = try Self.geometry(decoding) { framing in
                if case .fit = framing.shape {} else { framing.shape = .fill(AspectRatio(shown.width, shown.height)) }
            }
        }
        let coding = try OutputCoding(
            decoding.clip, work, settings, encoders, keepsPhoto: userPhoto?.isKept == true)
        func filters(_ geometry: PictureGeometry, _ target: PictureFilters.Target) -> PictureFilters {
            PictureFilters(
                picture, geometry, to: target, toneMapping: settings.picture.toneMapping,
                background: settings.picture.background, adjustments: settings.adjustments, colorTable: colorTable)
        }
        movie = filters(geometry, coding.hdr.map { .hdr(geometry.movie, $0) } ?? .movie(geometry))
        let isHEIC = userPhoto?.becomesHEIC ?? (settings.photo.format == .heic)
        let photoHDR = isHEIC && !isLongExposure && !coding.makesGainMap ? coding.hdr : nil
        photo = filters(
            photoGeometry, photoHDR.map { .hdr(photoGeometry.photo, $0) } ?? .photo(photoGeometry.photo))
        gainMap =
            coding.makesGainMap && userPhoto == nil ? filters(photoGeometry, .light(photoGeometry.photo)) : nil
        let ownSize = work.replacesPicture ? nil : userPhoto?.size
        photoSize = ownSize ?? photoGeometry.photo.size
        adjustedSizes = [movie.pictureInCanvas.size, userPhoto == nil ? photo.pictureInCanvas.size : photoSize]
        (self.coding, self.geometry, photoIsHEIC) = (coding, geometry, isHEIC)
        background = settings.picture.background
    }

    private static func geometry(
        _ decoding: DecodingPlan, _ change: (inout Framing) throws -> Void
    ) throws(LivePhotoError) -> PictureGeometry {
        do {
            let settings = decoding.work.preset
            var framing = settings.picture.framing
            try change(&framing)
            return try PictureGeometry(decoding.picture, maximum: settings.video.maxSize, framing: framing)
        } catch {
            throw LivePhotoError(.invalidRequest, decoding.clip.path, "\(error)", cause: error)
        }
    }
}

extension PicturePlan {
    /// Checks that the pictures can be made so.
    ///
    /// - Throws: `LivePhotoError`; with the code `missingLibrary` if an encoder is missing.
    func check(_ work: ClipWork, _ encoders: AvailableEncoders) throws(LivePhotoError) {
        if let chain = work.preset.adjustments.filter {
            for size in adjustedSizes { try chain.check(for: size, work.clip) }
        }
        let codec = coding.codec
        guard work.keepsMovie || encoders.video.contains(codec) else {
            throw LivePhotoError(
                .missingLibrary, nil,
                "this build of FFmpeg has no encoder for \(codec.name) (\(codec.encoder)); install one that "
                    + "has it, or write --video-codec \(codec == .hevc ? "h264" : "hevc")")
        }
        // Of x265, in pixels.
        let (size, smallest) = (geometry.movie.size, 16)
        guard work.keepsMovie || codec == .h264 || size.shortEdge >= smallest else {
            throw LivePhotoError(
                .invalidRequest, work.clip,
                "makes a movie of \(size), and HEVC needs at least \(smallest) pixels a side; write "
                    + "--video-codec h264")
        }
        guard !photoIsHEIC || encoders.heic else {
            throw LivePhotoError(
                .missingLibrary, nil,
                "libheif has no encoder for HEIC; install its plugin for x265 (libheif-plugin-x265 in Debian), or write "
                    + "--photo-format jpeg")
        }
    }
}
