import MediaModel
import QuickTime
import StillImage

/// The dates and the place that linking writes: a photo or movie without a date gets the other's, and what both lack comes
/// from outside of them.
struct AddedMetadata {
    private(set) var photoDate: CaptureDate?
    private(set) var movieDate: CaptureDate?
    /// Where the dates come from; nil without any.
    private(set) var dateSource: CaptureDateSource?
    /// For both files; nil if one of them has a place.
    private(set) var location: GeographicLocation?

    /// The date that is written to one of the files or both.
    var date: CaptureDate? { photoDate ?? movieDate }

    /// - Parameter requested: Replaces the dates that the files have. Nil keeps them; if neither has one, the date comes
    ///   from a sidecar or the file names.
    init(to pair: SourcePair, requested: (date: CaptureDate, source: CaptureDateSource)?) {
        let photo = pair.photoMetadata.exif?.captureDate
        let movie = pair.reader.captureDate
        let hasLocation = pair.photoMetadata.exif?.location != nil || pair.reader.location != nil
        // Sidecars need not be read if there is nothing to add.
        let isComplete = hasLocation && (photo ?? movie ?? requested?.date) != nil
        let outside = isComplete ? [] : [pair.photo, pair.movie].map(FileMetadata.init)
        if !hasLocation { location = outside.lazy.compactMap(\.location).first }
        if let requested {
            (photoDate, movieDate, dateSource) = (requested.date, requested.date, requested.source)
        } else if let photo {
            if movie == nil { (movieDate, dateSource) = (photo, .photo) }
        } else if let movie {
            (photoDate, dateSource) = (movie, .movie)
        } else if let found = outside.first(where: { $0.captureDate != nil }) {
            (photoDate, movieDate, dateSource) = (found.captureDate, found.captureDate, found.dateSource)
        }
    }
}
