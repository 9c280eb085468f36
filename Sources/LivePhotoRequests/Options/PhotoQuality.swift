/// The quality of a JPEG on the scale of the Independent JPEG Group: 1 is the smallest file, 100 the best picture.
public struct PhotoQuality: OptionValue {
    /// From 1 to 100.
    public let value: Int

    /// Nil outside of 1…100.
    public init?(_ value: Int) {
        guard (1...100).contains(value) else { return nil }
        self.value = value
    }

    public init(_ text: String) throws(OptionError) {
        guard let quality = wholeNumber(text).flatMap({ PhotoQuality($0) }) else {
            throw OptionError(text, isNot: "a photo quality", write: "a whole number from 1 to 100")
        }
        self = quality
    }

    /// `92`
    public var description: String { "\(value)" }
}
