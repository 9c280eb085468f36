import MediaModel

extension LivePhotoInfo: CustomStringConvertible {
    /// `exposed for 0.5 ms, moved by (0, -11.4) px, blurred by (0.34, -0.42) px, 1 face, 6 people, with homography`: only what
    /// the record marks as valid.
    package var description: String {
        var parts: [String] = []
        if validValues.contains(.exposureTime) { parts.append("exposed for \(Self.number(exposureTime * 1000)) ms") }
        if validValues.contains(.motion) { parts.append("moved by \(motion) px") }
        if validValues.contains(.blur) { parts.append("blurred by \(blur) px") }
        let regions = [
            (faces.count, "face", "faces"), (humans.count, "person", "people"), (cats.count, "cat", "cats"),
            (dogs.count, "dog", "dogs"), (salientObjects.count, "salient object", "salient objects"),
        ]
        for (count, one, many) in regions where count > 0 { parts.append("\(count) \(count == 1 ? one : many)") }
        parts.append(validMotion.contains(.homography) ? "with homography" : "without homography")
        if validMotion.contains(.interpolated), interpolated != 0 { parts.append("interpolated") }
        return parts.joined(separator: ", ")
    }

    fileprivate static func number(_ value: Float) -> String { decimal(Double(value), places: 2) }
}

extension LivePhotoInfo.Vector: CustomStringConvertible {
    /// `(0.34, -0.42)`
    package var description: String { "(\(LivePhotoInfo.number(x)), \(LivePhotoInfo.number(y)))" }
}
