/// Why something is uncertain about files, and what a person can do about it.
public struct Doubt: Sendable, Hashable, Codable {
    /// What is uncertain or wrong: a part of a sentence.
    public let reason: String
    /// What to do: a sentence without a full stop, which may be a command. Nil if there is nothing to do.
    public let advice: String?

    package init(_ reason: String, advice: String? = nil) {
        (self.reason, self.advice) = (reason, advice)
    }
}

extension Doubt: CustomStringConvertible {
    /// `2 photos of one name; link the two that belong together by naming both`
    public var description: String { advice.map { "\(reason); \($0)" } ?? reason }
}
