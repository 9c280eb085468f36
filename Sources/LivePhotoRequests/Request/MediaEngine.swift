public import LivePhotoKit
import MediaModel
import StillImage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The operations that decode or encode media. `LivePhotoConverter` of LivePhotoConversion performs them in the calling
/// process, `MediaWorker` of LivePhotoWorker in a separate process for each call.
public protocol MediaEngine: MotionPhotoEncoder {
    /// Plans a conversion without writing files: reads the clip's headers and packet times, and
    /// decodes pictures only if the plan depends on them, as for the best still, a loop or stabilization.
    ///
    /// - Throws: `LivePhotoError`.
    func plan(_ request: ConversionRequest) async throws -> PlanSummary

    /// Makes, checks and publishes a Live Photo: both files or none, also if the task is cancelled.
    ///
    /// - Parameters:
    ///   - request: the clip, the output folder and the settings.
    ///   - progress: called some times a second, on any thread, one call at a time.
    /// - Throws: `LivePhotoError`.
    func convert(
        _ request: ConversionRequest, progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> ConversionResult

    /// What an export would write: reads the headers of the movie and its packet times, or of the photo.
    ///
    /// - Parameter request: the files, the format and the settings.
    /// - Throws: `LivePhotoError`.
    func planExport(_ request: ExportRequest) async throws -> ExportResult

    /// Writes a Live Photo as another kind of file, which appears only when it is complete and has been checked.
    ///
    /// - Parameters:
    ///   - request: the files, the format and the settings.
    ///   - progress: called some times a second, on any thread, one call at a time.
    /// - Throws: `LivePhotoError`; with the code `missingLibrary` if FFmpeg has no encoder for the format.
    func export(
        _ request: ExportRequest, progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> ExportResult

    /// Shows frames of a clip from which the still can be chosen, and finds the best one. The sheet appears only when it is
    /// complete and has been checked.
    ///
    /// - Parameters:
    ///   - request: the clip, the frames, and the sheet to write, if any.
    ///   - progress: called some times a second, on any thread, one call at a time.
    /// - Throws: `LivePhotoError`.
    func makeSheet(
        _ request: FrameSheetRequest, progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> FrameSheet

    /// Compares a key photo, cropped to the movie's aspect ratio as in Photos, with the frame at the still time.
    ///
    /// - Parameters:
    ///   - photo: the key photo.
    ///   - movie: the paired video.
    ///   - stillTime: on the movie's timeline.
    /// - Returns: the structural similarity of luma, 1 for equal pictures, about 0 for unrelated ones.
    func similarity(photo: FilePath, movie: FilePath, stillTime: MediaTime) async throws(LivePhotoError) -> Double

    /// Decodes a movie and finds the frame that is most similar to a photo.
    func findStill(of photo: FilePath, in movie: FilePath) async throws(LivePhotoError) -> StillMatch

    /// Makes a thumbnail of a photo.
    ///
    /// - Parameters:
    ///   - photo: the photo, which is turned upright.
    ///   - edge: the maximum length of an edge in pixels, from 16 to 8192; smaller photos keep their size.
    ///   - quality: from 1 to 100, as in `PhotoQuality`.
    func thumbnail(of photo: FilePath, edge: Int, quality: Int) async throws(LivePhotoError) -> Thumbnail

    /// The installed versions and components of FFmpeg, x264 and libheif.
    func environment() async throws(LivePhotoError) -> ConversionEnvironment
}

/// The frame of a movie that is most similar to a photo.
public struct StillMatch: Sendable, Hashable, Codable {
    /// The frame's presentation time on the movie's timeline.
    public let stillTime: MediaTime
    /// The structural similarity of the two, 1 for equal pictures.
    public let similarity: Double

    package init(stillTime: MediaTime, similarity: Double) {
        (self.stillTime, self.similarity) = (stillTime, Similarity(similarity).value)
    }

    /// - Throws: `DecodingError` for a negative time, and a similarity outside of -1…1.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        stillTime = try container.duration(.stillTime)
        similarity = try container.decode(Similarity.self, forKey: .similarity).value
    }

    /// The minimum similarity of a match. A pair of an iPhone whose movie is cropped differently from its photo reaches
    /// 0.51; unrelated pictures reach up to 0.09.
    public static let certainty = 0.4
}

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
