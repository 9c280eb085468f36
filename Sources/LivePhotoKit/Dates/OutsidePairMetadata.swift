import MediaModel
import SystemPackage

/// When and where a photo and its movie were taken, from what is outside of both files.
struct OutsidePairMetadata {
    /// From a sidecar, otherwise from a name with a time, otherwise from a name with only a day.
    private(set) var captureDate: CaptureDate?
    private(set) var dateSource: CaptureDateSource?
    /// Whether the name has only a day, so that the time is noon.
    private(set) var isDayOnly = false
    private(set) var location: GeographicLocation?
    /// Why sidecars were ignored: each one sentence.
    private(set) var warnings: [String] = []

    /// Of two dates of one kind, the photo's is used.
    init(photo: FilePath, movie: FilePath) {
        let files = [photo, movie].map(FileMetadata.init)
        let ranks: [(FileMetadata) -> Bool] = [
            { $0.dateSource == .sidecar }, { $0.captureDate != nil && !$0.isDayOnly }, { $0.captureDate != nil },
        ]
        if let best = ranks.lazy.compactMap({ files.first(where: $0) }).first {
            (dateSource, isDayOnly) = (best.dateSource, best.isDayOnly)
            captureDate = best.captureDate.map { FileMetadata.localTime(of: $0, photo, movie) }
        }
        location = files.lazy.compactMap(\.location).first
        // A photo and its movie may share a sidecar.
        for warning in files.compactMap(\.warning) where !warnings.contains(warning) { warnings.append(warning) }
    }

    /// How much is known about a pair, to choose the one that is copied of several with equal content. Files in one folder
    /// need less proof; a date counts more than a place.
    static func rank(photo: FilePath, movie: FilePath, areInOneFolder: Bool) -> Int {
        (areInOneFolder ? 8 : 0) + knowledge(photo: photo, movie: movie)
    }

    /// How much is known about a pair from sidecars and names: from 0 to 7.
    static func knowledge(photo: FilePath, movie: FilePath) -> Int {
        let outside = OutsidePairMetadata(photo: photo, movie: movie)
        let date =
            switch outside.dateSource {
            case nil: 0
            case .sidecar?: 3
            case _?: outside.isDayOnly ? 1 : 2
            }
        return 2 * date + (outside.location == nil ? 0 : 1)
    }
}
