public import LivePhotoKit

/// What a clip says about when, where and with what it was shot; what it does not say is nil and stays so.
public struct ClipMetadata: Sendable, Hashable, Codable {
    public var captureDate: CaptureDate?
    public var location: GeographicLocation?
    public var make: String?
    public var model: String?

    public init(
        captureDate: CaptureDate? = nil, location: GeographicLocation? = nil, make: String? = nil, model: String? = nil
    ) {
        self.captureDate = captureDate
        self.location = location
        self.make = make
        self.model = model
    }
}

extension ClipMetadata: CustomStringConvertible {
    /// `Apple, iPhone 15 Plus, 2025-01-01T11:11:23+0900, +35.7143+139.7963/`; empty when nothing is known.
    public var description: String {
        [make, model, captureDate?.iso8601, location?.iso6709].compactMap { $0 }.joined(separator: ", ")
    }
}
