public import LivePhotoKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// All that needs pictures or sound: `LivePhotoConverter` of LivePhotoConversion does it in the caller's process,
/// `MediaWorker` of LivePhotoWorker in a separate process for each call.
public protocol MediaEngine: Sendable {
    /// Takes every decision about a conversion and changes nothing: reads the clip's headers and packet times.
    ///
    /// - Throws: `LivePhotoError`.
    func plan(_ request: ConversionRequest) async throws -> PlanSummary

    /// Makes a Live Photo, reads it back, checks it and publishes it: both files or none. Cancelling the task leaves
    /// no file behind.
    ///
    /// - Parameter progress: called some times a second, on any thread, one call at a time.
    /// - Throws: `LivePhotoError`.
    func convert(
        _ request: ConversionRequest, progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> ConversionResult

    /// How alike a key photo and its movie's frame at the still time are: upright, the photo cropped to the movie's shape,
    /// as Photos does.
    ///
    /// - Parameter stillTime: on the movie's timeline.
    /// - Returns: the structural similarity of their brightness, 1 for equal pictures, about 0 for unrelated ones.
    func similarity(photo: FilePath, movie: FilePath, stillTime: MediaTime) async throws(LivePhotoError) -> Double

    /// Decodes a movie once and finds the frame that is most like a photo.
    func findStill(of photo: FilePath, in movie: FilePath) async throws(LivePhotoError) -> StillMatch

    /// A photo as lists show it.
    ///
    /// - Parameters:
    ///   - edge: the longest edge in pixels, from 16 to 8192; smaller photos keep their size.
    ///   - quality: from 1 to 100, as `PhotoQuality`.
    func thumbnail(of photo: FilePath, edge: Int, quality: Int) async throws(LivePhotoError) -> Thumbnail

    /// The versions and parts of FFmpeg, x264 and libheif that are installed.
    func environment() async throws(LivePhotoError) -> ConversionEnvironment
}

/// The frame of a movie that is most like a photo.
public struct StillMatch: Sendable, Hashable, Codable {
    /// The frame's presentation time on the movie's timeline.
    public let stillTime: MediaTime
    /// The structural similarity of the two, 1 for equal pictures.
    public let similarity: Double

    package init(stillTime: MediaTime, similarity: Double) {
        (self.stillTime, self.similarity) = (stillTime, similarity)
    }

    /// The lowest similarity at which the photo counts as found. (A pair by an iPhone, whose movie is cropped in another
    /// way than its photo: 0.51; pictures that have nothing to do with each other: up to 0.09.)
    public static let certainty = 0.4
}

/// A photo as lists show it: small, upright, a JPEG.
public struct Thumbnail: Sendable, Hashable, Codable {
    /// The file.
    public let jpeg: [UInt8]
    public let size: PixelSize

    package init(jpeg: [UInt8], size: PixelSize) {
        (self.jpeg, self.size) = (jpeg, size)
    }

    private enum CodingKeys: CodingKey {
        case jpeg, size
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        jpeg = Array(try container.decode(Data.self, forKey: .jpeg))
        size = try container.decode(PixelSize.self, forKey: .size)
    }

    /// With the file in Base64, where the encoder is one of JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Data(jpeg), forKey: .jpeg)
        try container.encode(size, forKey: .size)
    }
}
