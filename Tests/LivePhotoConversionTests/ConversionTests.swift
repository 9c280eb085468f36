import Bytes
import LivePhotoConversion
import MediaModel
import QuickTime
import SystemPackage
import Testing

/// Clips through the library, from the file to the published pair.
@Suite struct ConversionTests {
    private func request(_ clip: TestClip, still: Double? = nil) -> ConversionRequest {
        var request = ConversionRequest(clip: clip.path, outputDirectory: clip.folder.appending("out"))
        request.still = still.map { .seconds(seconds($0)) }
        return request
    }

    @Test(arguments: ["clip.ts", "clip.mpg"] as [FilePath.Component])
    func `a clip that begins between two microseconds shows the frame that stands at the still time`(
        name: FilePath.Component
    ) async throws {
        // The first presentation time is 1.4333… s, or 0.5333… s.
        let codec = name.extension == "ts" ? "libx264 -bf 1 -x264-params b-pyramid=0" : "mpeg2video -bf 2"
        let clip = try TestClip(name, TestClip.picture(seconds: 4) + " -c:v " + codec)
        for still in [0, 1.5, 2.5] {
            let plan = try await LivePhotoConverter().plan(request(clip, still: still))
            #expect(plan.stillInClip == seconds(still))
        }
    }

    @Test(arguments: [2.51, 2.53, 2.56]) func `sound that ends just before the movie begins is left out`(
        still: Double
    ) async throws {
        let clip = try TestClip(
            "clip.mp4", TestClip.picture(seconds: 5) + " " + TestClip.tone(seconds: 1) + " -c:v libx264 -c:a aac")
        let result = try await LivePhotoConverter().convert(request(clip, still: still))
        let tracks = try MovieReader(InputFile(result.movie)).tracks
        #expect(tracks.count { $0.kind == .audio } == 0)
    }
}
