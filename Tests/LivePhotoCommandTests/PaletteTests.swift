import Foundation
import TestSupport
import Testing

/// Clips whose pixels are indices into a palette, which the file holds once.
@Suite struct PaletteTests {
    @Test(arguments: [
        ClipRecipe("smc.mov", "-c:v smc -g 50"), ClipRecipe("smc.mkv", "-c:v smc -g 50"),
        ClipRecipe("raw.avi", "-c:v rawvideo -pix_fmt pal8"),
        ClipRecipe("raw.nut", "-c:v rawvideo -pix_fmt pal8"), ClipRecipe("gray.mov", "-c:v qtrle -pix_fmt gray -g 50"),
    ])
    func `a palette holds for pictures anywhere in the clip`(test: ClipRecipe) throws {
        try expectFullDecode(try CountingClip.make(test.name, test.options))
    }

    @Test(arguments: [RunLengthClip.Codec.plain, .camtasia])
    func `a palette that changes within the clip holds from there on`(codec: RunLengthClip.Codec) throws {
        let folder = try TemporaryFolder()
        try RunLengthClip(codec: codec, paletteChange: 120).write(to: folder.path("change.avi"))
        try expectFullDecode(folder.path("change.avi"), stills: [4, 4.8, 7.5])
    }

    @Test func `an FLV with another header on the way is decoded with the right one`() throws {
        let folder = try TemporaryFolder()
        let parts = try [("a", "-profile:v baseline"), ("b", "-profile:v high -refs 4")].map { name, options in
            try CountingClip.make(
                "\(name).flv", "-c:v libx264 -pix_fmt yuv420p -g 25 -bf 0 \(options) -flvflags no_duration_filesize")
        }
        var second = [UInt8](try Data(contentsOf: URL(fileURLWithPath: parts[1])).dropFirst(13))
        // Each tag: type, 24 bits size, 24 bits time stamp and 8 more of it above them; behind it the size of all.
        var place = 0
        while place + 15 <= second.count {
            let size = Int(second[place + 1]) << 16 | Int(second[place + 2]) << 8 | Int(second[place + 3])
            let time = (Int(second[place + 4]) << 16 | Int(second[place + 5]) << 8 | Int(second[place + 6])) + 8000
            for (index, shift) in [16, 8, 0].enumerated() { second[place + 4 + index] = UInt8(time >> shift & 0xFF) }
            place += size + 15
        }
        let both = try Data(contentsOf: URL(fileURLWithPath: parts[0])) + second
        try both.write(to: URL(fileURLWithPath: folder.path("two.flv")))
        try expectFullDecode(folder.path("two.flv"), stills: [3, 7, 12])
    }

    @Test func `a movie of several sample descriptions is decoded with the right one`() throws {
        // Two encodings with parameter sets of their own, in one track.
        let folder = try TemporaryFolder()
        let parts = try [("a", "-profile:v baseline"), ("b", "-profile:v high -refs 4")].map { name, options in
            try CountingClip.make("\(name).mp4", "-c:v libx264 -pix_fmt yuv420p -g 25 \(options)")
        }
        let list = parts.map { "file '\($0)'\n" }.joined()
        try Data(list.utf8).write(to: URL(fileURLWithPath: folder.path("list")))
        let outcome = try Program.system(
            "ffmpeg",
            [
                "-v", "error", "-f", "concat", "-safe", "0", "-i", folder.path("list"), "-c", "copy",
                folder.path("two.mov"),
            ])
        try #require(outcome.status == 0, "\(outcome.errors)")
        try expectFullDecode(folder.path("two.mov"), stills: [7, 8, 15])
    }
}
