import Bytes
package import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// What a gallery shows about a Live Photo, read without decoding.
package struct GalleryFacts: Sendable {
    package struct Photo: Sendable {
        /// The size for display.
        package let size: PixelSize
        package let bytes: Int
        /// Whether every browser shows it.
        package let isJPEG: Bool
    }

    package struct Movie: Sendable {
        /// The size for display; nil if unknown.
        package let size: PixelSize?
        package let bytes: Int
        package let duration: MediaTime
        package let codec: String
        package let hasSound: Bool
        /// Whether every browser plays it: H.264 with 8 bits and 4:2:0, and AAC.
        package let isForBrowsers: Bool
    }

    package let photo: Photo
    package let movie: Movie
    package let stillTime: MediaTime?
    package let captureDate: CaptureDate?
    /// What `verify` finds.
    package let findings: [Finding]

    /// Which files browsers may lack a decoder for.
    package var needsCopies: (photo: Bool, movie: Bool) { (!photo.isJPEG, !movie.isForBrowsers) }

    /// - Throws: `LivePhotoError` for a file that cannot be read, or is no photo or no movie with video.
    init(_ pair: PairPaths, _ verifier: LivePhotoVerifier) throws(LivePhotoError) {
        let report = try verifier.verify(photo: pair.photo, movie: pair.movie)
        try self.init(
            photo: pair.photo, movie: pair.movie, stillTime: report.stillTime, findings: report.findings)
    }

    /// - Parameter pair: Copies of the container's files.
    /// - Throws: `LivePhotoError`, as for a pair.
    init(
        _ container: PairContainer, _ pair: PairPaths, _ verifier: LivePhotoVerifier
    ) throws(LivePhotoError) {
        switch container.kind {
        case .pvt, .livp, .zip: try self.init(pair, verifier)
        case .motionPhoto, .microVideo, .samsung, .huawei, .undescribed:
            try self.init(
                photo: pair.photo, movie: pair.movie, stillTime: container.stillTime,
                findings: try verifier.verify(motionPhoto: container.path).findings)
        }
    }

    private init(
        photo: FilePath, movie: FilePath, stillTime: MediaTime?, findings: [Finding]
    ) throws(LivePhotoError) {
        let (photoFile, photoFacts) = try Self.read(photo, "photo") { try PhotoMetadata($0) }
        let (movieFile, reader) = try Self.read(movie, "movie") { try MovieReader($0) }
        guard let track = reader.shownVideo, let video = try? VideoFacts(track),
            !video.frameTimes.isEmpty
        else { throw LivePhotoError(.unusableMedia, movie, "has no video that can be played") }
        let sounds = reader.tracks.filter { $0.kind == .audio }
        self.photo = Photo(
            size: photoFacts.displaySize, bytes: photoFile.size, isJPEG: photoFacts.format == .jpeg)
        self.movie = Movie(
            size: track.displaySize, bytes: movieFile.size, duration: video.end, codec: video.codecName,
            hasSound: !sounds.isEmpty,
            isForBrowsers: video.codec == .h264 && video.isDecodedByDevices
                && sounds.allSatisfy(\.isMotionPhotoSound))
        self.stillTime = stillTime
        captureDate = photoFacts.exif?.captureDate ?? reader.captureDate
        self.findings = findings
    }

    private static func read<Value>(
        _ path: FilePath, _ kind: String, _ read: (InputFile) throws -> Value
    ) throws(LivePhotoError) -> (InputFile, Value) {
        do {
            let file = try InputFile(path)
            return (file, try read(file))
        } catch let error as ParseError {
            throw LivePhotoError(.unusableMedia, path, "is not a \(kind) that can be read: \(error)", cause: error)
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }
}
