import LivePhotoRequests
import MediaModel

extension ClipMetadata {
    /// Fills in a missing date and location from a photo of the same moment. The photo's camera is not the clip's.
    func completed(by photo: UserPhotoDescription?) -> ClipMetadata {
        var completed = self
        completed.captureDate = captureDate ?? photo?.captureDate
        completed.location = location ?? photo?.location
        return completed
    }

    /// The metadata that are written to the pair.
    ///
    /// - Parameter date: replaces the clip's.
    func wanted(_ mode: MetadataMode, captureDate date: CaptureDate?) -> ClipMetadata {
        var wanted = mode == .discard ? ClipMetadata() : self
        if mode != .keep { wanted.location = nil }
        wanted.captureDate = date ?? wanted.captureDate
        return wanted
    }
}
