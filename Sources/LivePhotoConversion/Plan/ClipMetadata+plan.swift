import LivePhotoKit
package import LivePhotoRequests
import MediaModel

/// The metadata of the pair, and where they come from.
struct MetadataPlan: Sendable, Hashable {
    /// Date, location and camera for both files.
    let written: ClipMetadata
    /// Where its date comes from; nil if there is none.
    let dateSource: CaptureDateSource?
    /// Whether the name that it comes from has no time of day.
    let isDayOnly: Bool

    init(_ work: ClipWork, _ clip: ClipMetadata, _ photo: UserPhotoDescription?) {
        let outside = work.outsideMetadata ?? OutsideMetadata()
        // An edited movie gets no date and place from its photo: they may have been removed from it.
        let completed = work.isEdit ? clip : clip.completed(by: photo).completed(by: outside)
        written = completed.output(work.preset.metadata, captureDate: outside.requestedDate?.date)
        dateSource = written.captureDate.flatMap { _ in
            if let requested = outside.requestedDate { return requested.source }
            if clip.captureDate != nil { return .clip }
            return photo?.captureDate != nil ? .photo : outside.date?.source
        }
        isDayOnly = dateSource == .fileName && outside.date?.isDayOnly == true
    }
}

extension ClipMetadata {
    /// Adds a missing date and location from the user-supplied photo, but not the camera, which may differ from the
    /// clip's.
    func completed(by photo: UserPhotoDescription?) -> ClipMetadata {
        var completed = self
        completed.captureDate = captureDate ?? photo?.captureDate
        completed.location = location ?? photo?.location
        return completed
    }

    /// Adds a missing date and location from outside of the clip, and the time zone of a date in UTC if the clip's name has
    /// the local time of that moment.
    package func completed(by outside: OutsideMetadata) -> ClipMetadata {
        var completed = self
        completed.captureDate = captureDate.map { Self.date($0, named: outside.nameTime) } ?? outside.date?.date
        completed.location = location ?? outside.location
        return completed
    }

    /// The clip's own date, corrected by the time in its name.
    private static func date(_ date: CaptureDate, named name: OutsideMetadata.NameTime?) -> CaptureDate {
        guard let name else { return date }
        let delay = date.secondsSince1970 - name.date.secondsSince1970
        if name.precedesProcessing, date.utcOffset == 0, name.date.utcOffset == 0,
            (0...longestProcessing).contains(delay)
        {
            return name.date
        }
        return FileMetadata.localTime(of: date, named: name.date)
    }

    /// How long a phone takes for pictures that it makes of many others, in seconds, at most.
    private static let longestProcessing: Int64 = 3600

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
