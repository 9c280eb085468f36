/// A requirement on Live Photos or motion photos: what is required, what happens if it is not met, and how to fix it.
///
/// Rules are values: `Rule.all` lists them, and a verifier can be given any subset.
public struct Rule: Sendable, Identifiable {
    /// How serious a broken rule is.
    public enum Severity: String, Sendable, Hashable, CaseIterable, Encodable {
        /// Photos rejects the pair, imports it as two separate items, or cannot play it. Most readers show a motion photo
        /// as a still one.
        case error
        /// The pair works, but with a defect. Strict readers, or those of some phones, do not take a motion photo.
        case warning
        /// Information only.
        case note
    }

    /// The rule's stable name, such as `still-time-on-frame`.
    public let id: String
    /// What breaking the rule means for the pair.
    public let severity: Severity
    /// What is required, as a sentence.
    public let requirement: String
    /// What Photos and other programs do with a pair that breaks the rule.
    public let effect: String
    /// How to fix it.
    public let remedy: String
    /// The profiles that require it.
    public let profiles: Set<Profile>
    /// Who reports it, for rules that are only reported: addresses, or words where there is none.
    public let sources: [String]

    /// Whether the requirement is only reported by others and was not confirmed on a device, as all that is known of the lock
    /// screen.
    public var isReported: Bool { profiles == [.wallpaper] }

    /// Returns each violation as a sentence without a full stop; empty if the rule holds or does not apply. Always empty
    /// for the rules about single files in folders, which the library verification checks.
    let check: @Sendable (PairFacts) -> [String]
    /// As `check`, for motion photos. A rule is about one of the two.
    let checkMotionPhoto: @Sendable (MotionPhotoFacts) -> [String]

    /// Every rule, in the order of the documentation.
    public static let all =
        photoRules + movieRules + stillTimeRules + pairRules + wallpaperRules + folderRules + motionPhotoRules

    init(
        _ id: String, _ severity: Severity, _ requirement: String, effect: String, remedy: String,
        profiles: Set<Profile> = Set(Profile.allCases), sources: [String] = [],
        check: @escaping @Sendable (PairFacts) -> [String] = { _ in [] }
    ) {
        self.id = id
        self.severity = severity
        self.requirement = requirement
        self.effect = effect
        self.remedy = remedy
        self.profiles = profiles
        self.sources = sources
        self.check = check
        checkMotionPhoto = { _ in [] }
    }

    /// A rule for motion photos, of every profile.
    init(
        motionPhoto id: String, _ severity: Severity, _ requirement: String, effect: String, remedy: String,
        check: @escaping @Sendable (MotionPhotoFacts) -> [String]
    ) {
        self.id = id
        self.severity = severity
        self.requirement = requirement
        self.effect = effect
        self.remedy = remedy
        profiles = Set(Profile.allCases)
        sources = []
        self.check = { _ in [] }
        checkMotionPhoto = check
    }
}

extension Rule: Hashable {
    public static func == (left: Rule, right: Rule) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The intended use of a pair, which selects the rules that apply.
public enum Profile: String, Sendable, Hashable, CaseIterable, Codable {
    /// Any Live Photo that Photos imports and plays.
    case any
    /// The format of the first iPhones with Live Photos: H.264, 12 to 15 frames per second, 1080p.
    case classic
    /// The format of current iPhones: HEVC, 24 to 30 frames per second, up to 1920x1440.
    case modern
    /// A Live Photo that plays on the lock screen, as reported: no device has confirmed these rules.
    case wallpaper
}

/// A rule that a pair breaks.
public struct Finding: Sendable, Hashable {
    /// The rule that is broken.
    public let rule: Rule
    /// What was found, as a sentence without a full stop.
    public let message: String
    /// How serious it is: as the rule, or less in a file that its maker's own programs accept.
    public let severity: Rule.Severity

    /// - Parameter isAccepted: Whether the maker's own programs accept the file, so that nothing is worse than a warning.
    init(_ rule: Rule, _ message: String, isAccepted: Bool = false) {
        self.rule = rule
        self.message = message
        severity = isAccepted && rule.severity == .error ? .warning : rule.severity
    }
}

extension Finding: CustomStringConvertible {
    /// `error: the photo has no Exif data (photo-identifier)`, or `(wallpaper-rate, reported)`
    public var description: String {
        "\(severity): \(message) (\(rule.id)\(rule.isReported ? ", reported" : ""))"
    }
}
