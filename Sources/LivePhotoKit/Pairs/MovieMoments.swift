import Bytes
package import MediaModel
import QuickTime
package import SystemPackage

/// The possible still times of a movie, on its timeline.
package struct MovieMoments: Sendable, Hashable {
    /// Presentation times of the video's frames, ascending.
    package let frames: [MediaTime]
    package let end: MediaTime
    /// The movie's still time, if it has one. A camera may have written one between two frames.
    package let still: MediaTime?

    private let showsFrameAtStill: Bool

    /// - Throws: `LivePhotoError` for a file that is no movie with video.
    package init(of movie: FilePath) throws(LivePhotoError) {
        do {
            try self.init(MovieReader(InputFile(movie)))
        } catch let error as ParseError {
            throw LivePhotoError(
                unreadable: movie, error, advice: "; livephoto convert MOVIE --photo PHOTO re-encodes it")
        } catch let error as MovieEditError {
            throw LivePhotoError(.unusableMedia, movie, "\(error)", cause: error)
        } catch {
            throw LivePhotoError(reading: movie, error)
        }
    }

    init(_ reader: MovieReader) throws {
        let times = try reader.shownVideo?.frameTimes()
        frames = times?.times.filter { $0 >= .zero } ?? []
        guard !frames.isEmpty, let end = times?.end else { throw MovieEditError.noVideo }
        self.end = end
        still = try reader.stillImageTime()?.time
        showsFrameAtStill = still.map { $0 >= .zero && times?.index(at: $0) != nil } ?? false
    }

    /// The time of the frame nearest to `time`.
    package func frame(nearest time: MediaTime) -> MediaTime {
        frames.min { ($0 - time).magnitude < ($1 - time).magnitude } ?? .zero
    }

    /// The still time for a requested time: the movie's own one, exactly as it was written, or that of a frame.
    ///
    /// - Parameter time: nil keeps the movie's still time, or takes the middle. A time that is the movie's but for rounding to
    ///   microseconds, as in a motion photo, is the movie's.
    package func still(at time: MediaTime?) -> MediaTime {
        if showsFrameAtStill, let own = still, time.map({ own.isSame(inMicroseconds: $0) }) ?? true { return own }
        return frame(nearest: time ?? still ?? end.halved)
    }

    /// The still time of the movie, exactly as it was written, or that of the nearest frame if it is outside of the movie.
    package var ownStill: MediaTime? { still.map { still(at: $0) } }
}

extension MediaTime {
    /// Whether two times differ by no more than rounding to microseconds in either direction does.
    fileprivate func isSame(inMicroseconds other: MediaTime) -> Bool {
        self == other
            || abs(rescaled(to: 1_000_000, .down).value - other.rescaled(to: 1_000_000, .down).value) <= 1
    }
}

extension LivePhotoError {
    /// A file that has the name of a photo or movie, and cannot be read as one.
    init(unreadable path: FilePath, _ error: ParseError) {
        if FileTree.photoExtensions.contains(path.extension?.lowercased() ?? "") {
            self.init(.unusableMedia, path, "cannot be read as a photo: \(error)", cause: error)
        } else {
            self.init(unreadable: path, error, advice: "")
        }
    }

    /// A movie that cannot be read.
    ///
    /// - Parameter advice: How to use another kind of movie: the end of the sentence.
    init(unreadable movie: FilePath, _ error: ParseError, advice: String) {
        let isWhole = error.structure == MovieReader.structure
        let file = try? InputFile(movie)
        let reason =
            switch error.code {
            case .missing where isWhole && file?.size == 0: "is empty"
            case .missing where isWhole && file.map(MovieReader.isCutOff) == true:
                "is cut off before its index (the box moov); copy it again"
            case .truncated where isWhole: "is cut off at byte \(error.offset); copy it again"
            case .missing where isWhole && !FileTree.clipExtensions.contains(movie.extension?.lowercased() ?? ""):
                "is not a movie"
            case .missing where isWhole: "is not a MOV or MP4" + advice
            default: "is not a MOV or MP4 that can be read (\(error))" + advice
            }
        self.init(.unusableMedia, movie, reason, cause: error)
    }
}
