package import Bytes
import ISOBMFF
package import MediaModel

/// Takes the movie out of a motion photo, or adds a movie to a photo. The picture's data and everything else in the
/// file are copied unchanged.
package struct MotionPhoto: Sendable {
    /// The movie in the file; nil if there is none.
    package let video: EmbeddedVideo?
    /// Whether there is a movie, which may be of another kind than `video`.
    package var hasMovie: Bool { video != nil || trailer != nil }
    let photo: PhotoReader
    let trailer: SamsungTrailer?
    /// What follows the movie of a moving photo of Huawei or Honor.
    let endTexts: Range<Int>?

    /// A photo whose movie is cut off, or is not at its stated location, counts as one without a movie.
    ///
    /// - Throws: `Errno` of pread(2).
    package init(_ photo: PhotoReader) throws {
        func attempt<Value>(_ read: () throws -> Value?) throws -> Value? {
            do { return try read() } catch is ParseError { return nil }
        }
        self.photo = photo
        video = try attempt { try EmbeddedVideo(photo) }
        let trailer = video == nil ? nil : try attempt { try SamsungTrailer(photo.file) }
        endTexts =
            try attempt { try MovingPhotoTrailer(photo.file) }.map { [video] texts in
                let start = video.map { $0.kind == .huawei ? $0.range.upperBound : texts.range.lowerBound }
                return (start ?? texts.range.lowerBound)..<texts.range.upperBound
            }
        self.trailer = trailer?.records.contains { $0.type == SamsungTrailer.motionPhotoData } == true ? trailer : nil
    }

    /// The photo without its movie and without metadata about one. An identifier that `with` moved is in the MakerNote
    /// again.
    ///
    /// - Throws: `ParseError` for a damaged file, or one in which the change would damage something else; `ExifTooLarge`;
    ///   `Errno` of pread(2).
    package func still() throws -> FilePieces {
        let name = MotionPhotoXMP.identifier
        let xmp = try? photo.xmp()
        let moved = xmp?[name.namespace, name.local]?.text.flatMap { ContentIdentifier($0) }
        var update = moved.map { ExifUpdate(contentIdentifier: .fillIn($0)) }
        // The number in it says that there is a movie.
        if xmp.map(MotionPhotoAddition.isOPPO) ?? false, userComment == MotionPhotoAddition.oppoComment {
            update = update ?? ExifUpdate()
            update?.userComment = .remove
        }
        switch photo.container {
        case .jpeg(let jpeg):
            return try pieces(jpeg, update) { xmp, _ in xmp.flatMap(Self.withoutMovie) }
        case .heif(let heif):
            return try pieces(heif, update, boxesFollow: false) { $0.flatMap(Self.withoutMovie) }
        }
    }

    /// Nil if nothing changes, also for XMP that cannot be read, in which no reader finds a movie.
    private static func withoutMovie(_ xmp: [UInt8]) -> [UInt8]? {
        guard let new = try? MotionPhotoXMP(xmp).withoutMovie(), new != xmp else { return nil }
        return new
    }

    /// The photo with another movie, at the file's end as Motion Photo 1.0 requires.
    ///
    /// - Parameters:
    ///   - movie: the movie, which begins with a box `ftyp`.
    ///   - presentationTime: the time in the movie at which the photo was taken; nil if unknown.
    ///   - movingIdentifier: whether a content identifier in Apple's MakerNote becomes a property of XMP. Programs that find
    ///     it in the MakerNote look for a separate movie.
    ///   - additions: what else is written for some phones.
    /// - Throws: as `still()`; `ParseError` for XMP that cannot be read, or gets too long for a JPEG.
    package func with(
        _ movie: FilePieces, presentationTime: MediaTime?, movingIdentifier: Bool = false,
        additions: Set<MotionPhotoAddition> = []
    ) throws -> FilePieces {
        var head = ByteReader(try movie.head(BoxHeader.longSize + 4), structure: "movie")
        guard try BoxHeader(from: &head).type == "ftyp" else {
            throw ParseError(
                .missing, in: "movie", at: 0,
                expected: "a box ftyp, by which players recognize an MP4 or QuickTime movie")
        }
        let record = try additions.contains(.samsungRecord) && hasRoomForRecord ? SamsungRecord(movie) : nil
        var movie = record?.movie ?? movie
        if let frame = additions.lazy.compactMap(\.coverFrame).first {
            movie = MovingPhotoTrailer.adding(to: movie, coverFrame: frame)
        }
        let box = BoxHeader("mpvd", payloadSize: movie.count).bytes
        let identifier =
            movingIdentifier
            ? try PhotoMetadata(photo).exif?.contentIdentifier : nil
        var description = MotionPhotoXMP.Movie(
            photoType: "image/" + photo.format.rawValue,
            padding: photo.format == .jpeg ? record?.header.count ?? 0 : box.count,
            type: try head.fourCC() == "qt  " ? "video/quicktime" : "video/mp4", length: movie.count,
            presentationMicroseconds: presentationTime?.rescaled(to: 1_000_000).value, contentIdentifier: identifier,
            additions: additions)
        var update = identifier.map { _ in ExifUpdate(contentIdentifier: .remove) }
        if additions.contains(.oppoProperties) {
            update = update ?? ExifUpdate()
            update?.userComment = .fillIn(MotionPhotoAddition.oppoComment)
        }
        var result: FilePieces
        switch photo.container {
        case .jpeg(let jpeg):
            let trailing = try trailingBytes(jpeg)
            result = try pieces(jpeg, update) { xmp, offset in
                let xmp = try MotionPhotoXMP(xmp ?? [], fileOffset: offset)
                if xmp.listsOtherItems {
                    description.padding += trailing.beforePictures
                    description.trailingLength = trailing.count - trailing.beforePictures - xmp.otherLength
                } else if trailing.areGainMap {
                    description.padding += trailing.beforePictures
                    description.gainMapLength = trailing.count - trailing.beforePictures
                } else {
                    description.padding += trailing.count
                }
                return try xmp.with(description)
            }
        case .heif(let heif):
            result = try pieces(heif, update, boxesFollow: true) { try MotionPhotoXMP($0 ?? []).with(description) }
            result.append(box)
        }
        if let record { result.append(record.header) }
        result.append(movie)
        return result
    }

    /// Whether the header of Samsung's record can follow the photo. Google's format allows other bytes only after the photo
    /// itself, not after a gain map.
    private var hasRoomForRecord: Bool {
        get throws {
            guard case .jpeg(let jpeg) = photo.container else { return false }
            let listsOtherItems = try MotionPhotoXMP(jpeg.xmpPacket?.packet ?? []).listsOtherItems
            return try !listsOtherItems && !trailingBytes(jpeg).areGainMap
        }
    }

    private var userComment: [UInt8]? {
        guard let data = try? photo.tiff(), let tiff = try? TIFF(from: data) else { return nil }
        return tiff.exif?[.userComment]?.data
    }

    /// What follows the first picture of a JPEG, without a movie.
    private struct TrailingBytes {
        var count: Int
        /// The part before further pictures; 0 if there are none.
        var beforePictures = 0
        /// Whether there is one further picture, a gain map.
        var areGainMap = false
    }

    private func trailingBytes(_ jpeg: JPEG) throws -> TrailingBytes {
        let pictures = jpeg.furtherPictures
        let end =
            [video?.range.lowerBound, trailer?.records.map(\.range.lowerBound).min(), photo.file.size]
            .compactMap(\.self).min() ?? 0
        let start = pictures.map(\.lowerBound).min().flatMap { $0 > jpeg.headEnd && $0 < end ? $0 : nil }
        let pictureEnd: Int
        do {
            pictureEnd = min(try jpeg.pictureEnd(in: photo.file), start ?? end)
        } catch is ParseError {
            // A picture that is cut off.
            pictureEnd = start ?? end
        }
        let kept = try kept(from: pictureEnd, without: [video?.range]).reduce(0) { $0 + $1.count }
        var bytes = TrailingBytes(count: try kept + (trailer?.withoutMovie(in: photo.file)?.count ?? 0))
        guard let start else { return bytes }
        bytes.beforePictures = start - pictureEnd
        let head = try photo.file.bytes(at: start, count: min(end - start, GainMapName.headSize))
        bytes.areGainMap = pictures.count == 1 && GainMapName.isIn(head)
        return bytes
    }
}
