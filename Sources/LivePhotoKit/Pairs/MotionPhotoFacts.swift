import Bytes
import MediaModel
import QuickTime
import StillImage
package import SystemPackage

/// The properties of a motion photo that rules check.
struct MotionPhotoFacts: Sendable {
    let path: FilePath
    let fileSize: Int
    let photo: PhotoMetadata
    let description: Result<MotionPhotoDescription, ParseError>
    /// Nil if no movie was found.
    let video: EmbeddedVideo?
    /// Why the movie that the file describes was not found.
    let videoFault: ParseError?
    /// Bytes at the end of the file that are neither the movie nor whole boxes after it, such as Samsung's record.
    let bytesBehindMovie: Int
    /// Nil if no movie was found.
    let movie: Result<Movie, any Error>?
    /// The still time that the file states.
    let stillTime: MediaTime?

    /// The properties of its movie.
    struct Movie: Sendable {
        let isQuickTime: Bool
        let videoTrackCount: Int
        /// The name of the codec, and whether readers of motion photos support it.
        let codec: (name: String, isSupported: Bool)
        /// As `codec`, for each track of sound.
        let sounds: [(name: String, isSupported: Bool)]
        let moments: MovieMoments
    }

    /// - Throws: `LivePhotoError` for a file that cannot be opened or read, or is no photo.
    init(_ path: FilePath) throws(LivePhotoError) {
        do {
            try self.init(InputFile(path))
        } catch let error as ParseError {
            throw LivePhotoError(.unusableMedia, path, "is not a photo that can be read: \(error)", cause: error)
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    private init(_ file: InputFile) throws {
        func attempt<Value>(_ read: () throws -> Value) throws -> Result<Value, ParseError> {
            do { return .success(try read()) } catch let error as ParseError { return .failure(error) }
        }
        let reader = try PhotoReader(file)
        path = file.path
        fileSize = file.size
        photo = try PhotoMetadata(reader)
        description = try attempt { try MotionPhotoDescription(reader) }
        let video = try attempt { try EmbeddedVideo(reader) }
        self.video = try? video.get()
        videoFault =
            switch video {
            case .success(let video): video?.descriptionFault
            case .failure(let error): error
            }
        bytesBehindMovie = try self.video?.bytesBehind(in: file) ?? 0
        let reading = self.video.map { video in Result { try MovieReader(InputFile(video.range, of: file)) } }
        movie = reading.map { reading in Result { try Movie(reading.get()) } }
        stillTime = self.video.flatMap { video in
            guard let movie = try? reading?.get() else { return video.presentationTime }
            return try? video.stillTime(in: movie)
        }
    }

    /// The Apple identifier in the MakerNote, or the one that was moved to XMP.
    var contentIdentifier: FileText? {
        (try? photo.contentIdentifier.get()) ?? (try? description.get())?.xmp?.movedIdentifier
    }
}

extension MotionPhotoFacts.Movie {
    fileprivate init(_ reader: MovieReader) throws {
        try reader.checkPlayable(strictly: true)
        videoTrackCount = reader.videoTrackCount
        isQuickTime = reader.fileType?.majorBrand == "qt  "
        let format = try reader.shownVideo?.format()
        codec = (
            format?.name ?? "of no known codec",
            ["avc1", "avc3", "hvc1", "hev1", "av01"].contains(format?.type ?? "none")
        )
        sounds = try reader.tracks.filter { $0.kind == .audio }.map { track in
            guard let format = try track.format(), case .audio(let rate, _) = format.media else {
                return ("of no known codec", false)
            }
            return ("\(format.name) at \(decimal(rate, places: 0)) Hz", track.isMotionPhotoSound)
        }
        moments = try MovieMoments(reader)
    }
}

extension PairPaths {
    /// Whether a file is a photo that has a movie in it, or states that it has one.
    package static func isMotionPhoto(_ path: FilePath) -> Bool {
        guard let reader = try? PhotoReader(InputFile(path)) else { return false }
        return reader.isMotionPhoto
    }
}
