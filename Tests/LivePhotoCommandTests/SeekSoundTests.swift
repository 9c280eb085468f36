import Foundation
import TestSupport
import Testing

/// Sound of a part of a clip, against a decoding of the whole clip.
@Suite struct SeekSoundTests {
    /// A beep and a flash each second.
    private static let input =
        "-f lavfi -i color=white:s=64x48:r=25:d=8,format=gray,geq=lum='if(lt(mod(T,1),0.2),255,0)'"
        + " -f lavfi -i aevalsrc=0.5*sin(5000*t)*lt(mod(t\\,1)\\,0.2):d=8:s=44100"

    @Test(
        arguments: sampled(
            [
                ClipRecipe("beeps.rm", "-c:v rv20 -g 50 -c:a ac3"),
                ClipRecipe("beeps.wmv", "-c:v wmv2 -g 50 -c:a wmav2"),
                ClipRecipe("beeps.avi", "-c:v mpeg4 -g 50 -c:a libmp3lame"),
                ClipRecipe("beeps.mkv", "-c:v mpeg4 -g 50 -c:a libopus"),
                ClipRecipe("beeps.ts", "-c:v mpeg2video -g 50 -c:a mp2"),
                ClipRecipe("beeps.flv", "-c:v flv -g 50 -c:a libmp3lame"),
                ClipRecipe("beeps.ogg", "-c:v libtheora -g 50 -c:a libvorbis"),
                ClipRecipe("beeps.mp4", "-c:v mpeg4 -g 50 -c:a aac"),
            ], every: 2))
    func `sound after a seek is where a decoding of the whole clip has it`(test: ClipRecipe) throws {
        let clip = try SampleClips.make(test.name, "\(Self.input) \(test.options)")
        let folder = try TemporaryFolder()
        let stills = ["0.5", "4", "6.5"]
        let reports = try Program.livephoto(
            each: stills.map { ["convert", clip, "--still", $0, "-o", folder.path($0), "--json"] }
        ).map { try Report($0) }
        let found = try Reader.beepsAndFlashes(each: [clip] + reports.map(\.movie))
        let whole = found[0]
        for (still, (report, movie)) in zip(stills, zip(reports, found.dropFirst())) {
            let start = report.stillTimeInClip - report.stillTime
            // What begins with the movie is not heard to begin.
            let beeps = whole.beeps.filter { $0 > start + 0.2 && $0 < start + report.duration - 0.2 }
            try #require(!beeps.isEmpty)
            for beep in beeps {
                let nearest = movie.beeps.map { abs($0 + start - beep) }.min()
                #expect(
                    nearest.map { $0 <= 0.005 } == true, "still \(still): \(beep), \(movie.beeps.map { $0 + start })")
            }
        }
    }
}
