import LivePhotoKit
package import SystemPackage

/// Work with pixels or sound: all that is needed to do it. It crosses the pipe to the worker as it is. Files that it writes are
/// given beside it (`WorkerOrder.outputs`).
package enum Work: Codable, Sendable {
    /// Plans what is made of a clip.
    case plan(ClipWork)
    /// Plans an animation or single frames of the clip.
    ///
    /// - Parameter loops: how often an animation plays; 0 is forever.
    case planFrames(ClipWork, ExportFormat, loops: Int)
    /// Writes the photo and the movie of each Live Photo, in this order. All are of one clip, which is decoded once if their
    /// movies are near each other.
    case pairs([ClipWork])
    /// Writes a movie.
    case movie(ClipWork)
    /// Writes an animation, or the JPEGs of all frames one after another.
    case frames(ClipWork, ExportFormat, loops: Int)
    /// Finds the best still, and writes pictures of the clip's frames, or only describes them.
    case sheet(ClipWork, FrameSheetLayout)
    /// Writes small JPEGs of all frames of a part of the clip, one after another.
    case smallFrames(ClipWork, SmallFramesLayout)
    /// Compares a photo with the movie's frame at a time.
    case similarity(photo: FilePath, movie: FilePath, stillTime: MediaTime)
    /// Measures how much the pictures of a movie move.
    case steadiness(movie: FilePath, stillTime: MediaTime)
    /// Finds the frame that is most similar to a photo.
    case findStill(photo: FilePath, movie: FilePath)
    /// Makes thumbnails of photos, at most `mostThumbnails`, in this order.
    case thumbnails(photos: [FilePath], edge: Int, quality: Int, ThumbnailSource)
    /// Makes an adjusted thumbnail of a photo.
    case adjusted(photo: FilePath, Adjustments, edge: Int, quality: Int)
    /// Writes the sound of a movie as AAC.
    case sound(movie: FilePath)
    /// Measures how loud the sound of a movie is over time.
    case soundLevels(movie: FilePath)
    /// Writes a photo as an upright JPEG.
    ///
    /// - Parameter maximum: nil keeps the size.
    case jpeg(photo: FilePath, quality: Int, maximum: MaximumSize?)
    case environment

    /// The quality of a JPEG that is made of another photo: high enough that the loss is hard to see.
    package static let photoQuality = 92
    /// A worker opens all of its files before it reads the first one, and keeps the results of all.
    package static let mostThumbnails = 24
}

extension Work {
    /// The clip that is decoded; nil for work with other files.
    private var clip: ClipWork? {
        switch self {
        case .plan(let work), .planFrames(let work, _, _), .movie(let work), .frames(let work, _, _),
            .sheet(let work, _), .smallFrames(let work, _):
            work
        case .pairs(let works): works.first
        case .similarity, .steadiness, .findStill, .thumbnails, .adjusted, .sound, .soundLevels, .jpeg,
            .environment:
            nil
        }
    }

    /// The file to name in errors.
    package var subject: FilePath? {
        switch self {
        case .similarity(_, let movie, _), .steadiness(let movie, _), .findStill(_, let movie), .sound(let movie),
            .soundLevels(let movie):
            movie
        case .adjusted(let photo, _, _, _), .jpeg(let photo, _, _): photo
        case .thumbnails(let photos, _, _, _): photos.count == 1 ? photos[0] : nil
        default: clip?.clip
        }
    }

    /// The files that are read, and folders that errors may name.
    package var files: Set<FilePath> {
        switch self {
        case .similarity(let photo, let movie, _), .findStill(let photo, let movie): [photo, movie]
        case .pairs(let works): Set(works.flatMap(\.files))
        case .thumbnails(let photos, _, _, _): Set(photos)
        case .adjusted(let photo, let adjustments, _, _):
            Set([photo, adjustments.colorTable?.path].compactMap(\.self))
        default: clip?.files ?? Set([subject].compactMap(\.self))
        }
    }

    /// The limits that a preset sets, with its time for each Live Photo; nil for work without one.
    package var limits: Preset.Limits? {
        guard var limits = clip?.preset.limits else { return nil }
        if case .pairs(let works) = self {
            limits.timeout = TimeLimit(limits.timeout.duration.map { $0 * works.count })
        }
        return limits
    }

    /// Whether it encodes a movie by a plan, from which its need of memory follows.
    package var encodesByPlan: Bool {
        switch self {
        case .pairs, .movie, .frames: true
        default: false
        }
    }
}
