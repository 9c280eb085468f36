package import MediaModel
package import QuickTime

/// How far the camera moved while each frame was exposed, as iPhones measure it with their motion sensors and record it in the
/// movie of a Live Photo.
package struct RecordedBlur {
    /// Lengths are in pixels of a picture whose long edge has `edge`.
    private let frames: [(time: MediaTime, length: Double)]

    private static let edge = 1920.0
    /// How far a record's time may be from its frame's.
    private static let tolerance = MediaTime(value: 1, timescale: 100)

    /// - Parameter clipTime: a time of the movie's timeline on the clip's clock.
    /// - Returns: nil if the records do not have this measurement.
    package init?(_ records: LivePhotoInfoRecords, clipTime: (MediaTime) -> MediaTime?) {
        guard let size = records.setup?.dimensions, size.longEdge > 0 else { return nil }
        let scale = Self.edge / Double(size.longEdge)
        frames = records.records.compactMap { record in
            guard let info = record.info, info.validValues.contains(.blur), let time = clipTime(record.time) else {
                return nil
            }
            let (x, y) = (Double(info.blur.x) * scale, Double(info.blur.y) * scale)
            let length = (x * x + y * y).squareRoot()
            return length.isFinite ? (time, length) : nil
        }
        if frames.isEmpty { return nil }
    }

    /// - Returns: nil if there is no record of the frame.
    package func length(at time: MediaTime) -> Double? {
        let nearest = frames.min { ($0.time - time).magnitude < ($1.time - time).magnitude }
        return nearest.flatMap { ($0.time - time).magnitude <= Self.tolerance ? $0.length : nil }
    }
}
