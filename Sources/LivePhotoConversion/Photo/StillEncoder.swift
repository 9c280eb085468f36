package import FFmpegKit
import HeifKit
import LivePhotoKit
import MediaModel
import StillImage

/// Encodes a photo's picture as a JPEG or HEIC, turned upright by its `orientation`.
package enum StillEncoder {
    /// Changes a picture in the format of the encoder, whose size stays.
    package typealias Process = (Frame, PictureFilters.Target) throws -> Frame

    /// A picture in the format of `PictureFilters.Target.photo`.
    struct Prepared {
        var frame: Frame
        /// Other than that of photos for HDR, whose pictures are those of `PictureFilters.Target.hdr`.
        var color = ColorDescription.jfif
        /// Of the photo, whose sample values are kept; nil for sRGB.
        var iccProfile: [UInt8]?

        /// The same upright picture with pixels that have to be turned for display.
        func stored(in orientation: Orientation) throws -> Prepared {
            let turns = PictureFilters.turn(orientation.inverse)
            guard !turns.isEmpty else { return self }
            var copy = self
            copy.frame = try PictureConverter.Chain(turns.joined(separator: ",")).convert(frame)
            return copy
        }
    }

    /// A picture with an RGB ICC profile keeps its sample values, and the profile goes into the file. Without one, the
    /// picture is converted to sRGB. HDR is tone-mapped to sRGB.
    ///
    /// - Parameters:
    ///   - quality: from 1 to 100, as `PhotoQuality`.
    ///   - maximum: the size that the picture is scaled down to fit; nil keeps its size.
    ///   - background: fills the transparent parts.
    /// - Returns: a JFIF file without Exif.
    package static func jpeg(
        of still: DecodedStill, quality: Int, maximum: MaximumSize? = nil, background: BackgroundColor = .black
    ) throws -> [UInt8] {
        try jpeg(
            prepare(still, maximum: maximum, background: background),
            quality: quality)
    }

    /// Converts a picture for an encoder.
    ///
    /// - Parameters:
    ///   - maximum: the size that the picture is scaled down to fit; nil keeps its size.
    ///   - background: fills the transparent parts.
    ///   - edit: how the picture is cropped and adjusted.
    ///   - correction: steadies the picture before it is adjusted.
    ///   - keepsHDR: whether PQ and HLG stay so, which only HEIC can store; otherwise they are tone-mapped.
    ///   - process: changes the picture after that.
    static func prepare(
        _ still: DecodedStill, maximum: MaximumSize? = nil, background: BackgroundColor = .black,
        edit: PictureEdit = PictureEdit(), correction: PictureCorrection? = nil, keepsHDR: Bool = false,
        process: Process? = nil
    ) throws -> Prepared {
        let profile = keptProfile(still)
        var video = still.video.turned(by: edit.adjustments)
        if profile != nil {
            // Samples tagged as BT.709 pass unchanged.
            video.color.primaries = ColorDescription.jfif.primaries
            video.color.transfer = ColorDescription.jfif.transfer
        }
        let geometry = try PictureGeometry(video, maximum: maximum, framing: edit.framing)
        let canvas = maximum == nil ? geometry.photo : geometry.movie
        let color = ColorDescription(of: video)
        let target: PictureFilters.Target =
            keepsHDR && color.isHDR ? .hdr(canvas, color.forHDRMovie) : .photo(canvas)
        let filters = PictureFilters(
            video, geometry, to: target, background: background, adjustments: edit.adjustments,
            colorTable: edit.colorTable)
        let converter = PictureConverter(filters, threads: 1, isSteadied: correction != nil)
        let picture = try converter.convert(still.frame, steadiedBy: correction)
        return Prepared(
            frame: try process?(picture, target) ?? picture, color: target.color, iccProfile: profile)
    }

    /// - Returns: a JFIF file without Exif.
    static func jpeg(_ picture: Prepared, quality: Int) throws -> [UInt8] {
        // Some versions of libavcodec write the frame's profile.
        try JPEG(try JPEGEncoder.encode(picture.frame, quality: quality)).replacingICCProfile(with: picture.iccProfile)
    }

    /// - Parameters:
    ///   - quality: of libheif, from 0 to 100.
    ///   - exif: begins with the TIFF header.
    /// - Returns: a HEIC with a thumbnail, which does not state the picture's orientation.
    static func heic(
        _ picture: Prepared, quality: Int = editedQuality, speed: HEICEncoder.Speed = .fast, exif: [UInt8]?,
        xmp: [UInt8]? = nil
    ) throws -> [UInt8] {
        var color = picture.color
        let isHDR = color.isHDR
        if !isHDR { color.transfer = ColorDescription.sRGBTransfer }
        // The chroma subsampling that all decoders of HEIC support.
        let layout = isHDR ? "yuv420p10le" : "yuvj420p"
        func converted(_ size: PixelSize?) throws -> (size: PixelSize, planes: [[UInt8]]) {
            let change = PictureFilters.layoutChange(picture.color, to: layout, size: size, algorithm: "area")
            let frame = try PictureConverter.Chain(change).convert(picture.frame)
            return (frame.size, try frame.colorPlanes())
        }
        let (size, planes) = try converted(nil)
        var heic = HEICEncoder.Picture(size: size, planes: planes, bitDepth: isHDR ? 10 : 8, color: color)
        if size.longEdge > thumbnailEdge { heic.thumbnail = try converted(size.scaled(toLongEdge: thumbnailEdge)) }
        (heic.iccProfile, heic.exif, heic.xmp) = (picture.iccProfile, exif, xmp)
        return try HEICEncoder.encode(heic, quality: quality, speed: speed)
    }

    /// A gain map for a JPEG. It has three components, of which two are empty, because libavcodec's encoder needs them.
    ///
    /// - Parameter quality: of the photo, from 1 to 100.
    static func jpeg(_ map: GainMapPicture, quality: Int) throws -> GainMap {
        let half = ((map.size.width + 1) / 2) * ((map.size.height + 1) / 2)
        let empty = [UInt8](repeating: 128, count: half)
        let frame = try Frame(size: map.size, format: "yuvj420p", color: .jfif, planes: [map.samples, empty, empty])
        return try GainMap(jpeg: try JPEGEncoder.encode(frame, quality: mapQuality(quality)), map.parameters)
    }

    /// A gain map for a HEIC.
    ///
    /// - Parameters:
    ///   - quality: of the photo, from 1 to 100.
    ///   - photo: the size of the photo.
    static func heic(_ map: GainMapPicture, quality: Int, of photo: PixelSize) throws -> GainMap {
        func file(_ samples: [UInt8]) throws -> [UInt8] {
            try HEICEncoder.encodeMonochrome(
                samples, size: map.size, quality: heicQuality(mapQuality(quality)), speed: .small)
        }
        return try GainMap(apple: file(map.appleSamples), iso: file(map.samples), map.parameters, photo: photo)
    }

    /// Nearly half the bytes of the map, for an error that is larger by a tenth.
    private static func mapQuality(_ quality: Int) -> Int { max(quality - 12, 1) }

    /// Of libheif, from 0 to 100: a structural similarity of about 0.997 for a photo of an iPhone, in a file that is half as
    /// large again.
    private static let editedQuality = 70
    /// Of a thumbnail, as iPhones write it.
    private static let thumbnailEdge = 416

    /// libheif's quality for a structural similarity like that of a JPEG. Tests/Benchmarks/SETTINGS.md has measurements.
    static func heicQuality(_ quality: Int) -> Int { max(min(quality - 30, 62) + 3 * max(quality - 92, 0), 1) }

    /// An upright photo as an image.
    static func image(of still: DecodedStill) throws -> LivePhotoImage {
        let video = still.video
        let geometry = try PictureGeometry(video, maximum: nil)
        let target = PictureFilters.Target.photo(geometry.photo)
        let picture = try PictureConverter(PictureFilters(video, geometry, to: target), threads: 1).convert(still.frame)
        return try PixelAccess(target).image(of: picture)
    }

    /// Gray and CMYK profiles do not apply to YCbCr, and no profile applies to a tone-mapped picture.
    private static func keptProfile(_ still: DecodedStill) -> [UInt8]? {
        guard let profile = still.iccProfile, !still.video.color.isHDR, profile.count <= JPEG.iccProfileLimit,
            // ICC.1:2022 7.2: the data's color space, the signature of every profile.
            profile.dropFirst(16).starts(with: Array("RGB ".utf8)),
            profile.dropFirst(36).starts(with: Array("acsp".utf8))
        else { return nil }
        return profile
    }
}
