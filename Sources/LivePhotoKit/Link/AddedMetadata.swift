import Bytes
import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// The dates and the place that linking writes: a photo or movie without a date gets the other's, and what both lack comes
/// from outside of them.
struct AddedMetadata: Sendable, Hashable {
    private(set) var photoDate: CaptureDate?
    private(set) var movieDate: CaptureDate?
    /// Where the dates come from; nil without any.
    private(set) var dateSource: CaptureDateSource?
    /// Whether the date is that of a name with only a day, so that the time is noon.
    private(set) var isDayOnly = false
    /// For both files; nil if one of them has a place.
    private(set) var location: GeographicLocation?
    /// Each one sentence.
    private(set) var warnings: [String] = []

    /// The date that is written to one of the files or both.
    var date: CaptureDate? { photoDate ?? movieDate }

    /// Whether there is nothing to write.
    var isEmpty: Bool { date == nil && location == nil }

    /// Only a date for both files.
    init(date: CaptureDate, source: CaptureDateSource) {
        (photoDate, movieDate, dateSource) = (date, date, source)
    }

    /// - Parameter requested: Replaces the dates that the files have. Nil keeps them, also those that cannot be read; if
    ///   neither file has a date, it comes from a sidecar or the file names.
    init(to pair: SourcePair, requested: (date: CaptureDate, source: CaptureDateSource)?) {
        let photo = pair.statedPhotoDate
        let movie = pair.reader.statedDate
        let hasLocation = pair.photoMetadata.exif?.location != nil || pair.reader.location != nil
        // Sidecars need not be read if there is nothing to add.
        let isComplete = hasLocation && (photo?.date ?? movie?.date ?? requested?.date) != nil
        let outside = isComplete ? nil : OutsidePairMetadata(photo: pair.photo, movie: pair.movie)
        warnings = outside?.warnings ?? []
        if !hasLocation { location = outside?.location }
        if let requested {
            (photoDate, movieDate, dateSource) = (requested.date, requested.date, requested.source)
            return
        }
        for case (let path, .unreadable(let text)?) in [(pair.photo, photo), (pair.movie, movie)] {
            warnings.append(
                "the date \(quoted(text)) in \(path) cannot be read and is kept; "
                    + "livephoto link PHOTO MOVIE --date replaces it")
        }
        let (found, source): (CaptureDate?, CaptureDateSource?) =
            if let date = photo?.date {
                (date, .photo)
            } else if let date = movie?.date {
                (FileMetadata.localTime(of: date, pair.photo, pair.movie), .movie)
            } else {
                (outside?.captureDate, outside?.dateSource)
            }
        if photo == nil { photoDate = found }
        if movie == nil { movieDate = found }
        if date != nil { dateSource = source }
        isDayOnly = dateSource == .fileName && outside?.isDayOnly == true
        if let photo = photo?.date, let movie = movie?.date, photo.isOfAnotherDay(than: movie) {
            warnings.append(
                "\(pair.photo) was taken at \(photo.iso8601) by its metadata, and \(pair.movie) at \(movie.iso8601); both "
                    + "dates are kept")
        }
    }
}

extension PhotoReader {
    /// The capture date in a photo's file; nil if it has none or cannot be read.
    static func statedDate(of photo: FilePath) -> StatedDate? {
        (try? InputFile(photo)).flatMap { try? PhotoReader($0) }?.statedDate
    }
}
