extension ConversionRequest {
    /// A request for each still time of the clip, with the names NAME-1, NAME-2 and so on, in the order of the times.
    ///
    /// - Parameter stills: each with its text, as it was written.
    package func each(of stills: [(text: String, still: RequestedStill)]) -> [ConversionRequest] {
        let digits = "\(stills.count)".count
        return stills.enumerated().map { index, moment in
            var one = self
            one.preset.window.still = moment.still
            one.work.requestedTimes[Setting.still.key] = moment.text
            let number = "\(index + 1)"
            let padded = String(repeating: "0", count: digits - number.count) + number
            one.name = "\(name ?? clip.stem ?? "clip")-\(padded)"
            return one
        }
    }
}
