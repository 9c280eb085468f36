public import MediaModel

/// How much of the clip to take: on one side of the still, or in all. `1.5`, `1.5s`, `1500ms` or `0:01.5`; not negative.
public struct WindowLength: OptionValue {
    /// Exact as typed; not negative.
    public let time: MediaTime

    /// Nil for a negative time.
    public init?(_ time: MediaTime) {
        guard time >= .zero else { return nil }
        self.time = time
    }

    public init(_ text: String) throws(OptionError) {
        guard let time = MediaTime(text: text) else {
            throw OptionError(text, isNot: "a length of time", write: MediaTime.waysToWrite)
        }
        self.time = time
    }

    /// `1.5s`
    public var description: String { time.optionText }
}
