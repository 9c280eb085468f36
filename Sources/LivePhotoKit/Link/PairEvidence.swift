import Bytes
import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// What the metadata of a photo and a movie of one name say about whether they belong together. Their pictures have to be
/// compared, which takes long, only if that is in doubt.
enum PairEvidence: Sendable, Hashable {
    /// They belong together.
    ///
    /// - Parameter still: The time of the photo, if one of the files has it.
    case proof(still: StillMoment?)
    /// Only the pictures can show it.
    case doubt
    /// They do not belong together, for this reason.
    case disproof(reason: String)

    /// The movies of Live Photos and motion photos are shorter; a longer one is a video of its own.
    private static let longestMovie = MediaTime(value: 6, timescale: 1)

    /// Differences of dates in seconds. Some devices note when a recording began, others when it was complete.
    private static let sameMoment: Int64 = 10
    private static let zone: Int64 = 30 * 60
    private static let largestOffset: Int64 = 14 * 3600

    /// What two files say that were found by name.
    ///
    /// - Throws: `LivePhotoError` for files that cannot be linked.
    init(of pair: NamedPairs.Pair) throws(LivePhotoError) {
        let (photo, movie) = (pair.photo.path, pair.movie.path)
        do {
            let source = try SourcePair(photo: photo, movie: movie)
            _ = try LinkedPair(source, stillTime: source.moments.still(at: nil), contentIdentifier: nil)
            self.init(source, hasWholeName: pair.hasWholeName)
        } catch {
            throw LivePhotoLinker.explain(error, photo: photo, movie: movie)
        }
    }

    /// Whether a movie is the one in a motion photo, byte for byte.
    ///
    /// - Throws: `LivePhotoError` for files that cannot be read.
    static func isMovieInPhoto(photo: FilePath, movie: FilePath) throws(LivePhotoError) -> Bool {
        do {
            let source = try SourcePair(photo: photo, movie: movie)
            return source.embeddedVideo.map { source.holdsMovie(at: $0.range) } ?? false
        } catch {
            throw LivePhotoLinker.explain(error, photo: photo, movie: movie)
        }
    }

    /// - Parameter hasWholeName: Whether both have the same name and folder, and no other file could be meant.
    init(_ source: SourcePair, hasWholeName: Bool) {
        let moments = source.moments
        if source.identifier != nil, source.haveIdentifiers, let still = moments.ownStill {
            self = .proof(still: StillMoment(time: still, source: .movie))
            return
        }
        let embedded = source.embeddedVideo
        let isEmbedded = embedded.map { source.holdsMovie(at: $0.range) } ?? false
        let dates = Self.dates(of: source)
        if moments.end > Self.longestMovie {
            guard let dates, dates.photo.isOfAnotherDay(than: dates.movie) else {
                self = .doubt
                return
            }
            self = .disproof(
                reason: "the movie lasts \(moments.end) and was taken at \(dates.movie.iso8601), the photo at "
                    + dates.photo.iso8601)
        } else if source.haveSameShape,
            isEmbedded || dates.map({ Self.agree($0, allowsUnknownZone: hasWholeName) }) ?? false
        {
            self = .proof(still: Self.still(moments, embedded))
        } else {
            self = .doubt
        }
    }

    /// Whether two dates are those of one moment.
    ///
    /// - Parameter allowsUnknownZone: Whether one of them may be local time in an unknown zone.
    private static func agree(_ dates: Dates, allowsUnknownZone: Bool) -> Bool {
        let haveTimes = (dates.photo.hasTimeOfDay, dates.movie.hasTimeOfDay)
        let difference = dates.photo.seconds(to: dates.movie)
        let haveZones = dates.photo.utcOffset != nil && dates.movie.utcOffset != nil
        if haveZones, haveTimes.0 || haveTimes.1, abs(difference) <= sameMoment { return true }
        guard haveTimes == (true, true), allowsUnknownZone, !haveZones || dates.isMovieDateOfHeader else {
            return false
        }
        let offset = Int64((Double(difference) / Double(zone)).rounded()) * zone
        return abs(difference - offset) <= sameMoment && abs(offset) <= largestOffset
    }

    private struct Dates {
        let photo: CaptureDate
        let movie: CaptureDate
        /// The header has UTC by its specification, and local time from some cameras.
        let isMovieDateOfHeader: Bool
    }

    /// The date of a photo, also from its sidecar or name, and that in the metadata of a movie: files of one name have the
    /// same date in it, and may share a sidecar, whether they belong together or not.
    private static func dates(of source: SourcePair) -> Dates? {
        guard let movie = source.reader.captureDate,
            let photo = PhotoReader.statedDate(of: source.photo)?.date ?? outsideDate(of: source.photo)
        else { return nil }
        return Dates(
            photo: photo, movie: movie,
            isMovieDateOfHeader: movie == source.reader.movie.header.times.captureDate)
    }

    /// The date in a file's sidecar or name, if it has the time of day.
    private static func outsideDate(of path: FilePath) -> CaptureDate? {
        let outside = FileMetadata(of: path)
        return outside.isDayOnly ? nil : outside.captureDate
    }

    private static func still(_ moments: MovieMoments, _ embedded: EmbeddedVideo?) -> StillMoment? {
        if let still = moments.ownStill { return StillMoment(time: still, source: .movie) }
        guard let time = embedded?.presentationTime, time <= moments.end else { return nil }
        return StillMoment(time: moments.frame(nearest: time), source: .photoMetadata)
    }
}

extension SourcePair {
    /// Whether both have an identifier.
    fileprivate var haveIdentifiers: Bool { photoItem.identifier != nil && movieItem.identifier != nil }

    /// Whether photo and movie have the same aspect ratio, and are both portrait or both landscape.
    fileprivate var haveSameShape: Bool {
        let photo = photoMetadata.displaySize
        guard let movie = reader.shownVideo?.displaySize else { return false }
        return (photo.width < photo.height) == (movie.width < movie.height) && photo.hasShape(of: movie)
    }

    /// Whether a range of the photo's file is the movie, byte for byte.
    fileprivate func holdsMovie(at range: Range<Int>) -> Bool {
        let movie = reader.file
        guard range.count == movie.size, let file = try? InputFile(photo) else { return false }
        return (try? movie.hasSameBytes(at: 0..<movie.size, as: file, at: range.lowerBound)) ?? false
    }

    /// The movie in the photo, if it is a motion photo.
    fileprivate var embeddedVideo: EmbeddedVideo? {
        (try? InputFile(photo)).flatMap { try? EmbeddedVideo(PhotoReader($0)) }
    }
}

extension CaptureDate {
    /// False for midnight and noon, which programs write where they know only the day.
    fileprivate var hasTimeOfDay: Bool { !(hour % 12 == 0 && minute == 0 && second == 0) }

    /// Whether two dates are more than a day apart, so that no time zones make them one moment.
    func isOfAnotherDay(than other: CaptureDate) -> Bool { abs(seconds(to: other)) > 86_400 }

    /// How many seconds later another date is.
    fileprivate func seconds(to other: CaptureDate) -> Int64 { other.secondsSince1970 - secondsSince1970 }
}
