import LivePhotoRequests
import MediaModel

extension ClipMetadata {
    /// With what a photo of the same moment says of when and where, in place of what the clip does not say. Its camera
    /// is not the clip's.
    func completed(by photo: PhotoDescription?) -> ClipMetadata {
        var completed = self
        completed.captureDate = captureDate ?? photo?.captureDate
        completed.location = location ?? photo?.location
        return completed
    }

    /// What of it goes into the pair.
    ///
    /// - Parameter date: the one asked for, in place of the clip's.
    func wanted(_ mode: MetadataMode, captureDate date: CaptureDate?) -> ClipMetadata {
        var wanted = mode == .discard ? ClipMetadata() : self
        if mode != .keep { wanted.location = nil }
        wanted.captureDate = date ?? wanted.captureDate
        return wanted
    }
}
