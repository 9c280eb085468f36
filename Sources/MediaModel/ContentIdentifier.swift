#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What makes a photo and a movie one Live Photo: the same upper-case UUID string in both.
///
/// Photos compares it as a string, so there is one spelling only.
public struct ContentIdentifier: Sendable, Hashable {
    /// 36 characters: `CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC`.
    public let string: String

    /// A new one, at random.
    public init() {
        string = UUID().uuidString
    }

    /// The identifier that `text` spells in any case; nil when it is no UUID.
    public init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        string = uuid.uuidString
    }
}

extension ContentIdentifier: CustomStringConvertible {
    public var description: String { string }
}
