import Bytes
package import MediaModel
import QuickTime
package import SystemPackage

/// The moments of a movie at which its still can be; all on the movie's timeline.
package struct MovieMoments: Sendable, Hashable {
    /// Presentation times of the video's frames, ascending.
    package let frames: [MediaTime]
    package let end: MediaTime
    /// When the still was taken, where the movie says it.
    package let still: MediaTime?

    /// - Throws: `LivePhotoError` for a file that is no movie with video.
    package init(of movie: FilePath) throws(LivePhotoError) {
        do {
            try self.init(MovieReader(InputFile(movie)))
        } catch let error as ParseError {
            throw LivePhotoError(
                .unusableMedia, movie,
                "is no MOV or MP4 that can be read (\(error)); livephoto convert MOVIE --photo PHOTO takes other clips",
                cause: error)
        } catch let error as MovieEditError {
            throw LivePhotoError(.unusableMedia, movie, "\(error)", cause: error)
        } catch {
            throw LivePhotoError(reading: movie, error)
        }
    }

    init(_ reader: MovieReader) throws {
        let times = try reader.tracks.first { $0.kind == .video }?.frameTimes()
        frames = times?.times.filter { $0 >= .zero } ?? []
        guard !frames.isEmpty, let end = times?.end else { throw MovieEditError.noVideo }
        self.end = end
        still = try reader.stillImageTime()?.time
    }

    /// The frame's time that is nearest to `time`; of nil, to what the movie says itself, or to its middle.
    package func frame(nearest time: MediaTime?) -> MediaTime {
        let wanted = (time ?? still)?.seconds ?? end.seconds / 2
        return frames.min { abs($0.seconds - wanted) < abs($1.seconds - wanted) } ?? .zero
    }
}
