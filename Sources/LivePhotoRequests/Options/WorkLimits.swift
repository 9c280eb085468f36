import MediaModel

/// The longest that decoding and encoding may take: seconds as `1800`, or another length of time as `30:00`; `0` is no limit.
public struct TimeLimit: OptionValue {
    /// Nil for no limit.
    public let duration: Duration?

    /// - Parameter duration: nil or zero for no limit; rounded up to milliseconds.
    public init(_ duration: Duration?) {
        let (seconds, attoseconds) = duration.map { ($0.components.seconds, $0.components.attoseconds) } ?? (0, 0)
        let milliseconds = seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        self.duration = milliseconds > 0 ? .milliseconds(milliseconds) : nil
    }

    public init(_ text: String) throws(OptionError) {
        guard let time = MediaTime(text: text) else {
            throw OptionError(text, isNot: "a time limit", write: MediaTime.waysToWrite + ", or 0 for no limit")
        }
        self.init(.nanoseconds(time.rescaled(to: 1_000_000_000).value))
    }

    /// `1800s`; `0s` for no limit.
    public var description: String {
        let (seconds, attoseconds) = (duration ?? .zero).components
        return decimalText(seconds * 1_000 + attoseconds / 1_000_000_000_000_000, places: 3) + "s"
    }
}

/// The most memory that decoding and encoding may take, in megabytes of 2^20 bytes: `4096`.
public struct MemoryLimit: OptionValue {
    /// From 256, which the libraries and the smallest clips need, to 2^20 (a terabyte).
    public let megabytes: Int

    /// Nil outside of 256…2^20.
    public init?(megabytes: Int) {
        guard (256...1 << 20).contains(megabytes) else { return nil }
        self.megabytes = megabytes
    }

    public init(_ text: String) throws(OptionError) {
        guard let number = wholeNumber(text), let limit = MemoryLimit(megabytes: number) else {
            throw OptionError(text, isNot: "a memory limit", write: "a whole number of megabytes from 256 to 1048576")
        }
        self = limit
    }

    package var bytes: Int { megabytes << 20 }

    /// `4096`
    public var description: String { "\(megabytes)" }
}
