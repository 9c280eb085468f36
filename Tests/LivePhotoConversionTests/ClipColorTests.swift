import FFmpegKit
import Foundation
import LivePhotoConversion
import MediaModel
import SystemPackage
import TestSupport
import Testing

/// Clips whose pictures are described in an unusual way: what the photo shows.
@Suite struct ClipColorTests {
    /// The photo's planes.
    private func photo(of clip: TestClip) async throws -> (size: PixelSize, planes: [[UInt8]]) {
        let request = ConversionRequest(clip: clip.path, outputDirectory: clip.folder.appending("out"))
        let result = try await MediaEngine.inProcess.convert(request)
        let frame = try StillDecoder.decode(PhotoFile(result.photo)).frame
        return (frame.size, try frame.colorPlanes())
    }

    /// The matrix of AV1 says that the planes are green, blue and red; only for sRGB does libavcodec notice.
    @Test(
        arguments: ["gbrp", "gbrp10le"],
        ["", " -bsf:v av1_metadata=color_primaries=2:transfer_characteristics=2:matrix_coefficients=0"])
    func `RGB in AV1 keeps its colours`(format: String, description: String) async throws {
        let clip = try TestClip(
            "clip.mp4",
            "-f lavfi -i color=0xC83214:size=64x36:rate=10:duration=0.3 -pix_fmt \(format) -c:v libaom-av1 -cpu-used 8"
                + " -crf 5" + description)
        let planes = try await photo(of: clip).planes
        // JFIF's YCbCr of 200, 50, 20.
        for (plane, expected) in zip(planes, [91, 88, 206]) {
            #expect(plane.allSatisfy { abs(Int($0) - expected) <= 4 }, "\(plane.first ?? 0), not \(expected)")
        }
    }

    /// The `irot` or `imir` of the track, and where the white corner of the picture is then: 0 is the top left, 1 the top
    /// right, 2 the bottom left, 3 the bottom right.
    @Test(
        arguments: [
            ("ccst", 0, 0), ("irot", 1, 2), ("irot", 2, 3), ("irot", 3, 1), ("imir", 0, 2), ("imir", 1, 1),
        ] as [(String, UInt8, Int)])
    func `an animated AVIF is turned and mirrored as it asks`(type: String, value: UInt8, corner: Int) async throws {
        let clip = try TestClip(
            "clip.avif",
            "-f lavfi -i color=black:size=64x32:rate=5:duration=0.6,drawbox=w=16:h=16:color=white:t=fill -pix_fmt yuv420p"
                + " -c:v libaom-av1 -cpu-used 8 -crf 10")
        let url = URL(fileURLWithPath: clip.path.string)
        var data = try Data(contentsOf: url)
        // ffmpeg writes an optional box of the same size in the sample description.
        if type != "ccst" {
            let box = try #require(data.range(of: Data("ccst".utf8)))
            data.replaceSubrange(box.lowerBound..<box.upperBound + 1, with: Data(type.utf8) + [value])
            try data.write(to: url)
        }
        let (size, planes) = try await photo(of: clip)
        let swapsAxes = type == "irot" && value != 2
        #expect(size == (swapsAxes ? PixelSize(width: 32, height: 64) : PixelSize(width: 64, height: 32)))
        let corners = [(2, 2), (size.width - 3, 2), (2, size.height - 3), (size.width - 3, size.height - 3)]
        #expect(corners.map { planes[0][$0.1 * size.width + $0.0] > 128 } == (0..<4).map { $0 == corner })
    }

    /// Cb grows by 6 from one sample to the next on its right, Cr from one to the next below. H.264's code for the location
    /// of chroma, and how much the means change where it is moved to the left, as all players of the movie expect it: each
    /// is a quarter of the distance of two samples, or nothing; encoding changes the means less than half of that.
    @Test(arguments: [(0, 0, 0), (1, -1.5, 0), (2, 0, 1.5), (3, -1.5, 1.5), (4, 0, -1.5), (5, -1.5, -1.5)])
    func `chroma at other places than the left is moved there`(location: Int, cb: Double, cr: Double) async throws {
        let clip = try TestClip(
            "clip.mp4",
            "-f lavfi -i color=gray:size=64x36:rate=10:duration=0.6,format=yuv420p,geq=lum=128:cb=24+6*X:cr=60+6*Y"
                + " -c:v libx264 -qp 4 -color_range tv -x264-params"
                + " chromaloc=\(location):colorprim=bt709:transfer=bt709:colormatrix=bt709")
        let request = ConversionRequest(clip: clip.path, outputDirectory: clip.folder.appending("out"))
        let movie = try await MediaEngine.inProcess.convert(request).movie
        let (before, after) = (try chromaMeans(clip.path), try chromaMeans(movie))
        #expect(abs(after.cb - before.cb - cb) < 0.75, "\(after.cb) after \(before.cb)")
        #expect(abs(after.cr - before.cr - cr) < 0.75, "\(after.cr) after \(before.cr)")
    }

    private func chromaMeans(_ movie: FilePath) throws -> (cb: Double, cr: Double) {
        let lines = try Program.run([
            "ffprobe", "-v", "error", "-f", "lavfi", "-i", "movie=\(movie),signalstats", "-show_entries",
            "frame_tags=lavfi.signalstats.UAVG,lavfi.signalstats.VAVG", "-of", "csv=p=0",
        ])
        let means = lines.split(separator: "\n").first?.split(separator: ",").compactMap { Double($0) } ?? []
        try #require(means.count == 2)
        return (means[0], means[1])
    }
}
