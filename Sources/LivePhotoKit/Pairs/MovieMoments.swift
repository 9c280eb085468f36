import Bytes
package import MediaModel
import QuickTime
package import SystemPackage

/// The possible still times of a movie, on its timeline.
package struct MovieMoments: Sendable, Hashable {
    /// Presentation times of the video's frames, ascending.
    package let frames: [MediaTime]
    package let end: MediaTime
    /// The movie's still time, if it has one.
    package let still: MediaTime?

    /// - Throws: `LivePhotoError` for a file that is no movie with video.
    package init(of movie: FilePath) throws(LivePhotoError) {
        do {
            try self.init(MovieReader(InputFile(movie)))
        } catch let error as ParseError {
            throw LivePhotoError(
                .unusableMedia, movie,
                "is not a MOV or MP4 that can be read (\(error)); livephoto convert MOVIE --photo PHOTO takes other clips",
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

    /// The time of the frame nearest to `time`; nil for the movie's still time, or its middle.
    package func frame(nearest time: MediaTime?) -> MediaTime {
        let target = (time ?? still)?.seconds ?? end.seconds / 2
        return frames.min { abs($0.seconds - target) < abs($1.seconds - target) } ?? .zero
    }
}
