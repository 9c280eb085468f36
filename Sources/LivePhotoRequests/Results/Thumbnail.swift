import MediaModel
import StillImage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A small upright JPEG of a photo.
public struct Thumbnail: Sendable, Hashable, Codable {
    /// JSON encoders write it in Base64.
    private let data: Data
    /// The size in pixels.
    public let size: PixelSize

    /// The bytes of the file.
    public var jpeg: [UInt8] { Array(data) }

    package init(jpeg: [UInt8], size: PixelSize) {
        (data, self.size) = (Data(jpeg), size)
    }

    /// - Throws: `DecodingError` unless it is a JPEG of this size.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        data = try container.decode(Data.self, forKey: .data)
        size = try container.decode(PixelSize.self, forKey: .size)
        guard try JPEG(Array(data)).size == size else {
            throw DecodingError.dataCorruptedError(
                forKey: .size, in: container, debugDescription: "a JPEG of another size")
        }
    }
}
