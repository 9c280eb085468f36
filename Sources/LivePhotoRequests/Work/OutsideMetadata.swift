package import LivePhotoKit

/// Date and location of a clip from outside of its file: the request, a sidecar and the file name. It is determined
/// before the worker is started, which cannot open files.
package struct OutsideMetadata: Sendable, Hashable, Codable {
    /// A date and where it comes from.
    package struct SourcedDate: Sendable, Hashable, Codable {
        package let date: CaptureDate
        package let source: CaptureDateSource
        /// Whether only the day is known; the time is noon.
        package var isDayOnly = false
    }

    /// The time in the clip's name.
    package struct NameTime: Sendable, Hashable, Codable {
        /// Local time without an offset, or UTC with the offset 0.
        package let date: CaptureDate
        /// Whether it is when the camera began, and the clip itself has the time at which the camera had finished its work,
        /// as the `.NIGHT` clips of Pixel phones.
        package let precedesProcessing: Bool

        package init(date: CaptureDate, precedesProcessing: Bool = false) {
            (self.date, self.precedesProcessing) = (date, precedesProcessing)
        }

        /// Nil for a name without a time.
        package init?(inName name: String) {
            guard let found = FileNameDate(name), found.hasTime else { return nil }
            self.init(date: found.date, precedesProcessing: name.hasPrefix("PXL_") && name.contains(".NIGHT"))
        }
    }

    /// Takes precedence over the clip's date.
    package var requestedDate: SourcedDate?
    /// For a clip and photo without a date.
    package var date: SourcedDate?
    /// Corrects the clip's own date.
    package var nameTime: NameTime?
    /// For a clip and photo without a location.
    package var location: GeographicLocation?
    /// Each one sentence.
    package var warnings: [String] = []

    package init() {}
}
