public import LivePhotoKit
import MediaModel

/// What an export wrote, or would write.
public struct ExportResult: Sendable, Hashable {
    /// The file or folder.
    public let output: FilePath
    /// The kind of file.
    public let format: ExportFormat
    /// The size of the picture.
    public let size: PixelSize
    /// The number of frames; 1 for a JPEG.
    public let frames: Int
    /// How long the frames are shown in total; zero for a JPEG.
    public let duration: MediaTime
    /// The size of the file, or of all files in the folder, in bytes; nil if nothing was written.
    public let bytes: Int?
    /// Each one sentence.
    public let warnings: [String]

    package init(
        output: FilePath, format: ExportFormat, size: PixelSize, frames: Int, duration: MediaTime, bytes: Int?,
        warnings: [String]
    ) {
        (self.output, self.format, self.size, self.frames) = (output, format, size, frames)
        (self.duration, self.bytes, self.warnings) = (duration, bytes, warnings)
    }
}

/// What the worker encoded for an export, and reports about it.
package struct ExportedMedia: Sendable, Hashable, Codable {
    package let size: PixelSize
    package let frames: Int
    package let duration: MediaTime
    /// The sizes of the files that follow one another in the output, in bytes; empty if it is a single one.
    package let parts: [Int]
    /// Each one sentence.
    package let warnings: [String]

    package init(size: PixelSize, frames: Int, duration: MediaTime, parts: [Int] = [], warnings: [String]) {
        (self.size, self.frames, self.duration, self.parts, self.warnings) = (size, frames, duration, parts, warnings)
    }

    /// - Throws: `DecodingError` for numbers and texts that no export can have.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let frames = try container.whole(.frames, in: 1...AnswerLimits.frames)
        self.init(
            size: try container.decode(PixelSize.self, forKey: .size), frames: frames,
            duration: try container.duration(.duration),
            parts: try container.array(of: FileSize.self, .parts, count: 0...frames).map(\.bytes),
            warnings: try container.decode(ShownLines.self, forKey: .warnings).lines)
    }
}
