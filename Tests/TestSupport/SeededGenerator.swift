import Foundation
package import Testing

/// Numbers that look random and are the same for the same seed (Steele, Lea, Flood: SplitMix64).
///
/// A test that uses it has the trait `.seeded`, so that a failure says its seed.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The environment variable `LIVEPHOTO_TEST_SEED`; a fixed number where it is not set.
    package static let seed: UInt64 = {
        guard let text = ProcessInfo.processInfo.environment["LIVEPHOTO_TEST_SEED"] else { return 20_261_121 }
        guard let seed = UInt64(text) else { preconditionFailure("LIVEPHOTO_TEST_SEED is not a number: \(text)") }
        return seed
    }()

    private var state = Self.seed

    package init() {}

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15  // wraps by design
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

extension Trait where Self == IssueHandlingTrait {
    /// Adds the seed of ``SeededGenerator`` to each issue of a test.
    package static var seeded: Self {
        .compactMapIssues { issue in
            var issue = issue
            issue.comments.append("LIVEPHOTO_TEST_SEED=\(SeededGenerator.seed)")
            return issue
        }
    }
}
