#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The upper-case UUID that links the photo and the movie of a Live Photo. Photos compares it as a string.
public struct ContentIdentifier: Sendable, Hashable {
    /// The UUID in 36 characters: `CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC`.
    public let string: String

    /// Creates a random identifier.
    public init() {
        string = UUID().uuidString
    }

    /// Reads a UUID and changes it to upper case.
    ///
    /// - Parameter text: A UUID in upper or lower case; nil is returned for anything else.
    public init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        string = uuid.uuidString
    }

    /// Reads a UUID that a file stores.
    package init?(_ text: FileText) {
        guard text.bytes.count <= Self.byteCount else { return nil }
        self.init(text.string())
    }

    /// Bytes of a UUID as text; what is longer is no content identifier.
    package static let byteCount = 36
}

extension ContentIdentifier: CustomStringConvertible {
    /// The UUID, as in `string`.
    public var description: String { string }
}
