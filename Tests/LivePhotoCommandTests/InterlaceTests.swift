import Foundation
import TestSupport
import Testing

@Suite struct InterlaceTests {
    /// How many of a movie's pictures look like two fields of different moments, and how many are whole.
    private func combed(_ movie: String) throws -> (interlaced: Int, progressive: Int) {
        let outcome = try Program.system(
            "ffmpeg", ["-v", "info", "-nostdin", "-i", movie, "-an", "-vf", "idet", "-f", "null", "-"])
        let line = try #require(outcome.errors.components(separatedBy: "Multi frame detection:").last)
        let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
        try #require(numbers.count >= 3)
        return (numbers[0] + numbers[1], numbers[2])
    }

    @Test(arguments: [
        ("50i.mp4", "50", "libx264 -flags +ilme+ildct -x264-params tff=1", 12.5),
        ("60i.mpg", "60000/1001", "mpeg2video -q:v 2 -flags +ilme+ildct", 14.985),
    ])
    func `an interlaced clip comes out whole, in the photo and in the movie`(
        name: String, fields: String, codec: String, frameRate: Double
    ) throws {
        let clip = try SampleClips.moving(
            name, size: "640x480", rate: fields, codec: codec, filters: "tinterlace=interleave_top,setfield=tff",
            sound: nil)
        try #require(try combed(clip).interlaced > 50)
        let folder = try TemporaryFolder()
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.url.path, "--json"))
        #expect(abs(report.frameRate - frameRate) < 0.001)
        let found = try combed(report.movie)
        #expect(found.interlaced == 0 && found.progressive >= report.frames - 5, "\(found)")
        #expect(try Reader.similarity((report.movie, report.stillTime), (report.photo, nil)) > 0.9)
        #expect(report.warnings.isEmpty)
    }
}
