import MediaModel

/// The maximum time for decoding and encoding: seconds (`1800`) or another duration (`30:00`); `0` means no limit.
public struct TimeLimit: OptionValue {
    /// The maximum time; nil for no limit.
    public let duration: Duration?

    /// A limit of a duration.
    ///
    /// - Parameter duration: nil or zero for no limit; rounded up to milliseconds. More than
    ///   10^12 seconds are 10^12 seconds.
    public init(_ duration: Duration?) {
        let (seconds, attoseconds) = duration.map { ($0.components.seconds, $0.components.attoseconds) } ?? (0, 0)
        let milliseconds =
            min(max(seconds, 0), 1_000_000_000_000) * 1_000 + (attoseconds + 999_999_999_999_999)
            / 1_000_000_000_000_000
        self.duration = milliseconds > 0 ? .milliseconds(milliseconds) : nil
    }

    public static let kind = "a time limit"
    public static let allowed = MediaTime.allowed + ", or 0 for no limit"
    public static let jsonSchema = MediaTime.jsonSchema

    /// Reads a duration as `MediaTime.init(text:)` does; 0 is no limit.
    public init?(text: String) {
        guard let time = MediaTime(text: text) else { return nil }
        self.init(.nanoseconds(time.rescaled(to: 1_000_000_000).value))
    }

    /// `1800s`; `0s` for no limit.
    public var description: String {
        let (seconds, attoseconds) = (duration ?? .zero).components
        return decimalText(seconds * 1_000 + attoseconds / 1_000_000_000_000_000, places: 3) + "s"
    }
}

/// The maximum memory for decoding and encoding, in megabytes of 2^20 bytes: `4096`.
public struct MemoryLimit: OptionValue {
    /// The limit, from 256, which the libraries need for the smallest clips, to 2^20 (a terabyte).
    public let megabytes: Int

    /// A limit in megabytes; nil outside of 256…2^20.
    public init?(megabytes: Int) {
        guard (256...1 << 20).contains(megabytes) else { return nil }
        self.megabytes = megabytes
    }

    public static let kind = "a memory limit"
    public static let allowed = "a whole number of megabytes from 256 to 1048576"
    public static let jsonSchema =
        #""type": ["integer", "string"], "minimum": 256, "maximum": 1048576, "pattern": "^0*[1-9][0-9]{2,6}$""#

    /// Reads a whole number of megabytes.
    public init?(text: String) {
        guard let number = wholeNumber(text) else { return nil }
        self.init(megabytes: number)
    }

    package var bytes: Int { megabytes << 20 }

    /// `4096`
    public var description: String { "\(megabytes)" }
}
