/// The video of a movie that has several tracks of it, such as a second one in another size.
extension MovieReader {
    /// The number of video tracks.
    package var videoTrackCount: Int { tracks.count { $0.kind == .video } }

    /// The video track that players show: the first one that is enabled, or the first one if none is.
    package var shownVideo: Track? { shownVideoIndex.map { tracks[$0] } }

    /// Its index among the tracks; damaged files may have a number twice.
    package var shownVideoIndex: Int? {
        tracks.firstIndex { $0.kind == .video && $0.isEnabled } ?? tracks.firstIndex { $0.kind == .video }
    }
}
