import MediaModel
import QuickTime
import StillImage

/// The dates that linking writes: a photo or movie without a date gets the other's.
struct PairDates {
    private(set) var photo: CaptureDate?
    /// For the movie.
    private(set) var movie: CaptureDate?

    /// The date that is written to one of the files or both.
    var written: CaptureDate? { photo ?? movie }

    /// - Parameter requested: Replaces the dates that the files have. Nil keeps them; if neither has one, the date comes
    ///   from a sidecar or the file names.
    init(of pair: SourcePair, requested: CaptureDate?) {
        if let requested {
            (photo, movie) = (requested, requested)
            return
        }
        let photoDate = pair.photoMetadata.exif?.captureDate
        let movieDate = pair.reader.captureDate
        guard photoDate == nil || movieDate == nil else { return }
        let date =
            photoDate ?? movieDate ?? FileMetadata(of: pair.photo).captureDate
            ?? FileMetadata(of: pair.movie).captureDate
        photo = photoDate == nil ? date : nil
        movie = movieDate == nil ? date : nil
    }
}
