/// Something that holds for every good Live Photo: what it is, why it matters, and what to do where it does not hold.
///
/// Rules are values: `Rule.all` is the catalogue, and a verifier may be given any part of it.
public struct Rule: Sendable, Identifiable {
    /// How bad it is when a rule does not hold.
    public enum Severity: String, Sendable, Hashable, CaseIterable, Encodable {
        /// Photos rejects the pair, imports it as two items, or cannot play it.
        case error
        /// The pair works, but not as it should.
        case warning
        /// Worth knowing.
        case note
    }

    /// Its name, which does not change: `still-time-on-frame`.
    public let id: String
    public let severity: Severity
    /// What has to hold, as a sentence.
    public let requirement: String
    /// What Photos and others do with a pair for which it does not hold.
    public let effect: String
    /// How to mend it.
    public let remedy: String
    /// The uses of a pair for which it has to hold.
    public let profiles: Set<Profile>

    /// What is wrong with a pair, each a sentence without its end; empty where the rule holds or does not apply, and
    /// always for the rules on what stands in folders without being a pair.
    let check: @Sendable (PairFacts) -> [String]

    init(
        _ id: String, _ severity: Severity, _ requirement: String, effect: String, remedy: String,
        profiles: Set<Profile> = Set(Profile.allCases), check: @escaping @Sendable (PairFacts) -> [String] = { _ in [] }
    ) {
        self.id = id
        self.severity = severity
        self.requirement = requirement
        self.effect = effect
        self.remedy = remedy
        self.profiles = profiles
        self.check = check
    }
}

extension Rule: Hashable {
    public static func == (left: Rule, right: Rule) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What a pair is meant for, which says how much is asked of it.
public enum Profile: String, Sendable, Hashable, CaseIterable, Codable {
    /// Any Live Photo that Photos takes and plays.
    case any
    /// As the first iPhones with Live Photos made them: H.264, 12 to 15 frames a second, 1080p.
    case classic
    /// One that moves on the lock screen.
    case wallpaper
}

/// A rule that does not hold for a pair.
public struct Finding: Sendable, Hashable {
    public let rule: Rule
    /// What was found, as a sentence without its end.
    public let message: String

    init(_ rule: Rule, _ message: String) {
        self.rule = rule
        self.message = message
    }
}

extension Finding: CustomStringConvertible {
    /// `error: the photo has no Exif data (photo-identifier)`
    public var description: String { "\(rule.severity): \(message) (\(rule.id))" }
}
