import Foundation
import LivePhotoConversion
import TestSupport
import Testing

/// The pictures of a page with frames of a clip.
@Suite struct SheetPictureTests {
    /// Pictures of large clips are those that were decoded to compare the frames, where there are such.
    @Test(arguments: [
        ("b-frames.mp4", "libx264 -bf 2 -g 30", "30", 6, "640x360"),
        ("long.mp4", "libx264 -bf 0 -g 30", "30", 8, "640x360"),
        ("few-keys.mp4", "libx264 -g 600", "30", 9, "640x360"), ("small.mp4", "libx264", "30", 5, "160x90"),
        ("intra.mov", "mjpeg", "30", 5, "640x360"),
        ("interlaced.ts", "mpeg2video -flags +ilme+ildct", "25", 5, "640x360"),
    ])
    func `each picture shows the frame of its time`(
        name: String, codec: String, rate: String, seconds: Int, size: String
    ) async throws {
        let folder = try TemporaryFolder()
        let clip = FilePath(
            try SampleClips.make(
                name,
                "-f lavfi -i testsrc2=size=\(size):rate=\(rate):duration=\(seconds) -pix_fmt yuv420p -c:v \(codec)"))
        var request = FrameSheetRequest(clip: clip, output: folder.path.appending("sheet.html"))
        request.pictureSize = MaximumSize(128, 128)
        let sheet = try await MediaEngine.inProcess.makeSheet(request)
        let page = try folder.text("sheet.html")
        let marker = "src=\"data:image/jpeg;base64,"
        let pictures = page.components(separatedBy: marker).dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(sheet.pictures.count == 24 && pictures.count == 24)
        for (picture, text) in zip(sheet.pictures, pictures) {
            let path = folder.path.appending("picture.jpg")
            try #require(Data(base64Encoded: String(text))).write(to: URL(fileURLWithPath: path.string))
            let match = try await MediaEngine.inProcess.findStill(of: path, in: clip)
            #expect(match.stillTime == picture.time && match.similarity > 0.8, "\(picture.still) \(match)")
        }
    }
}
