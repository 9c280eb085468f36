package import MediaModel

/// The shortest text for `--still` that selects one frame.
package enum StillText {
    /// Two decimals are enough for most clips; with as many, the times of a sheet are equally long.
    private static let fewestPlaces = 2
    private static let mostPlaces = 9

    /// - Parameters:
    ///   - time: the presentation time of the frame.
    ///   - next: a later time at which the next frame is not shown yet; it may be the frame's own time.
    /// - Returns: a time at which the clip shows the frame: at or after its own, as `--still` selects the last frame that
    ///   begins at or before it.
    package static func text(for time: MediaTime, before next: MediaTime) -> String {
        for places in fewestPlaces..<mostPlaces {
            let rounded = time.rescaled(to: scale(places), .up)
            if rounded == time || rounded < next { return decimals(rounded, places) }
        }
        return decimals(time.rescaled(to: scale(mostPlaces), .up), mostPlaces)
    }

    private static func scale(_ places: Int) -> Int32 { (0..<places).reduce(1) { scale, _ in scale * 10 } }

    /// With all decimals, unlike `decimalText`.
    private static func decimals(_ time: MediaTime, _ places: Int) -> String {
        let scale = Int64(time.timescale)
        let (seconds, rest) = time.value.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
        let fraction = "\(rest)"
        return
            "\(time.value < 0 ? "-" : "")\(seconds).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
    }
}
