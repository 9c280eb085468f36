import MediaModel
import QuickTime
import StillImage

extension EmbeddedVideo {
    /// The still time that the file states, as a time or as the number of a frame; nil if it states none, or a frame that the
    /// movie does not have.
    ///
    /// - Parameter movie: this movie.
    /// - Throws: `ParseError` for a movie that cannot be read; `Errno` of pread(2).
    func stillTime(in movie: MovieReader) throws -> MediaTime? {
        if let presentationTime { return presentationTime }
        guard let coverFrame, let times = try movie.shownVideo?.frameTimes().times else { return nil }
        let shown = times.filter { $0 >= .zero }
        return shown.indices.contains(coverFrame) ? shown[coverFrame] : nil
    }
}
