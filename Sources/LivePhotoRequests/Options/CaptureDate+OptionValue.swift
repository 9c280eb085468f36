public import MediaModel

extension CaptureDate: OptionValue {
    /// Reads a date with a time (ISO 8601): `2025-10-12T23:36:14+13:00`.
    public init(_ text: String) throws(OptionError) {
        guard let date = CaptureDate(iso8601: text) else {
            throw OptionError(text, isNot: "a date with a time", write: "one as 2025-10-12T23:36:14+13:00")
        }
        self = date
    }

    /// `2025-10-12T23:36:14+1300`
    public var description: String { iso8601 }
}
