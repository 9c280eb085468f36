import LivePhotoKit
import LivePhotoRequests

extension PictureSpan {
    /// A part of the clip, as far as there are pictures.
    ///
    /// - Parameter texts: `start` and `end` as they were written, for errors.
    /// - Throws: `LivePhotoError` for a part without a picture.
    func part(
        from start: MediaTime, to end: MediaTime, of clip: FilePath, _ texts: [String: String] = [:]
    ) throws(LivePhotoError) -> (start: MediaTime, end: MediaTime) {
        let (first, last) = (start.shown(as: texts["start"]), end.shown(as: texts["end"]))
        guard start < self.end else {
            throw LivePhotoError(
                .invalidRequest, clip, "there is nothing at \(first); the clip lasts \(self.end)")
        }
        guard start < end else {
            throw LivePhotoError(
                .invalidRequest, clip, "the part from \(first) to \(last) is empty; write a later end")
        }
        return (start, min(end, self.end))
    }
}
