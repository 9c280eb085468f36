import FFmpegKit
import Foundation
import HeifKit
import LivePhotoConversion
import LivePhotoRequests
import StillImage
import TestSupport
import Testing

/// Which picture a thumbnail shows: photos are red here, and the thumbnails in their files are blue.
@Suite struct EmbeddedThumbnailTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - Parameters:
    ///   - thumbnail: the size of the thumbnail in the file; nil for none.
    ///   - options: of exiftool.
    private func jpeg(_ size: String, thumbnail: String?, _ options: [String] = []) throws -> FilePath {
        let path = folder.path("photo.jpg")
        try Program.ffmpeg("-f lavfi -i color=red:size=\(size) -frames:v 1", to: path)
        var changes = options
        if let thumbnail {
            try Program.ffmpeg(
                "-f lavfi -i color=blue:size=\(thumbnail) -frames:v 1", to: folder.path("thumbnail.jpg"))
            changes.append("-ThumbnailImage<=\(folder.path("thumbnail.jpg"))")
        }
        if !changes.isEmpty { try Program.run(["exiftool", "-q", "-overwrite_original", "-n"] + changes + [path]) }
        return FilePath(path)
    }

    private func heic(_ size: PixelSize, thumbnail: PixelSize?) throws -> FilePath {
        func planes(_ size: PixelSize, _ color: [UInt8]) -> [[UInt8]] {
            let half = (size.width + 1) / 2 * ((size.height + 1) / 2)
            return zip(color, [size.width * size.height, half, half]).map { [UInt8](repeating: $0, count: $1) }
        }
        var picture = HEICEncoder.Picture(size: size, planes: planes(size, [76, 85, 255]), color: .jfif)
        if let thumbnail { picture.thumbnail = (thumbnail, planes(thumbnail, [29, 255, 107])) }
        let path = folder.path("photo.heic")
        try Data(try HEICEncoder.encode(picture, quality: 80)).write(to: URL(fileURLWithPath: path))
        return FilePath(path)
    }

    /// The size of a thumbnail, and whether it is blue.
    private func made(_ photo: FilePath, _ source: ThumbnailSource) async throws -> (size: String, isBlue: Bool) {
        let results = await MediaEngine.inProcess.thumbnails(of: [photo], edge: 320, quality: 80, from: source)
        let thumbnail = try #require(results.first).get()
        let path = folder.path.appending("made.jpg")
        try Data(thumbnail.jpeg).write(to: URL(fileURLWithPath: path.string))
        let planes = try StillDecoder.decode(PhotoFile(path)).frame.colorPlanes()
        return ("\(thumbnail.size)", planes[1][0] > 180)
    }

    @Test(
        arguments: [
            ("640x480", nil, [], "320x240", false), ("640x480", "160x120", [], "160x120", true),
            // Stored lying.
            ("640x480", "160x120", ["-Orientation=6"], "120x160", true),
            ("640x427", "160x107", [], "160x106", true),
            // With black bars, too small, larger than the photo, and none that is a picture.
            ("640x360", "160x120", [], "320x180", false), ("640x480", "80x60", [], "320x240", false),
            ("160x120", "320x240", [], "160x120", false), ("640x480", nil, ["-ThumbnailImage=text"], "320x240", false),
        ] as [(String, String?, [String], String, Bool)])
    func `the thumbnail of a JPEG is shown if it shows the photo`(
        size: String, thumbnail: String?, options: [String], shown: String, isOwn: Bool
    ) async throws {
        let photo = try jpeg(size, thumbnail: thumbnail, options)
        #expect(try await made(photo, .embedded) == (shown, isOwn))
        #expect(try await !made(photo, .photo).isBlue)
    }

    @Test(
        .enabled(if: HEICEncoder.isAvailable),
        arguments: [
            (nil, "320x240", false), (PixelSize(width: 160, height: 120), "160x120", true),
            (PixelSize(width: 416, height: 312), "320x240", true),
            (PixelSize(width: 160, height: 160), "320x240", false),
        ] as [(PixelSize?, String, Bool)])
    func `the thumbnail of a HEIC is shown if it shows the photo`(
        thumbnail: PixelSize?, shown: String, isOwn: Bool
    ) async throws {
        let photo = try heic(PixelSize(width: 640, height: 480), thumbnail: thumbnail)
        #expect(try await made(photo, .embedded) == (shown, isOwn))
        #expect(try await !made(photo, .photo).isBlue)
    }

    @Test func `a photo whose data are cut anywhere has no thumbnail, or one of the right size`() throws {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: jpeg("640x480", thumbnail: "160x120").string)))
        let whole = try #require(EmbeddedThumbnail(of: bytes))
        for count in bytes.indices {
            guard let thumbnail = EmbeddedThumbnail(of: Array(bytes[..<count])) else { continue }
            #expect(thumbnail.file == whole.file)
        }
    }
}
