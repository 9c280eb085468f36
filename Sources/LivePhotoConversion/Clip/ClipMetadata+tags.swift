import LivePhotoRequests
import MediaModel

extension ClipMetadata {
    /// Reads libav's tags: QuickTime's keys, user data, Matroska's and ID3's names, the most detailed first.
    package init(tags: [FileText: FileText]) {
        self.init()
        let tags = Dictionary(tags.map { ($0.key.lowercasedASCII, $0.value) }) { first, _ in first }
        func first<Value>(_ names: [FileText], _ read: (FileText) -> Value?) -> Value? {
            for name in names {
                if let value = tags[name].flatMap(read) { return value }
            }
            return nil
        }
        func text(_ text: FileText) -> String? {
            let printable = text.string().unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
            return printable.isEmpty ? nil : String(String.UnicodeScalarView(printable.prefix(Self.textLimit)))
        }
        captureDate = first(Self.dateNames) { CaptureDate(iso8601: $0).flatMap { $0.isEpoch ? nil : $0 } }
        location = first(Self.locationNames) { GeographicLocation(iso6709: $0) }
        make = first(Self.makeNames, text)
        model = first(Self.modelNames, text)
    }

    /// Local time with a time zone is preferred; `creation_time` is UTC.
    private static let dateNames: [FileText] = [
        "com.apple.quicktime.creationdate", "date_recorded", "creation_time", "date", "date-eng",
    ]
    private static let locationNames: [FileText] = ["com.apple.quicktime.location.iso6709", "location", "location-eng"]
    private static let makeNames: [FileText] = [
        "com.apple.quicktime.make", "com.android.manufacturer", "make", "make-eng",
    ]
    private static let modelNames: [FileText] = [
        "com.apple.quicktime.model", "com.android.model", "model", "model-eng",
    ]
    /// No camera has a longer name.
    private static let textLimit = 128
}

extension CaptureDate {
    /// Whether it is the epoch of QuickTime or Unix, which means that the camera's clock was not set or the date is
    /// unknown.
    fileprivate var isEpoch: Bool { year <= 1904 || year == 1970 && month == 1 && day == 1 }
}
