import LivePhotoRequests
import MediaModel

extension ClipMetadata {
    /// Adds a missing date and location from the user-supplied photo, but not the camera, which may differ from the
    /// clip's.
    func completed(by photo: UserPhotoDescription?) -> ClipMetadata {
        var completed = self
        completed.captureDate = captureDate ?? photo?.captureDate
        completed.location = location ?? photo?.location
        return completed
    }

    /// Adds a missing date and location from outside of the clip.
    func completed(by outside: OutsideMetadata) -> ClipMetadata {
        var completed = self
        completed.captureDate = captureDate ?? outside.date?.date
        completed.location = location ?? outside.location
        return completed
    }

    /// The metadata that is written to the pair.
    ///
    /// - Parameter date: replaces the clip's.
    func output(_ mode: MetadataMode, captureDate date: CaptureDate?) -> ClipMetadata {
        var output = mode == .discard ? ClipMetadata() : self
        if mode != .keep { output.location = nil }
        output.captureDate = date ?? output.captureDate
        return output
    }
}
