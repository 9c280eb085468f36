import Foundation
import TestSupport

/// A file made with programs of the system.
struct SampleHEIF {
    let bytes: [UInt8]

    /// - Parameters:
    ///   - encoder: a command with its options, which may name the files `exif` and `icc`; PNG in and HEIF out are added.
    ///   - color: of all its 50 by 34 pixels, in ffmpeg's words; `red@0.5` has alpha.
    init(_ encoder: String, color: String = "0xC81E28", exif: [UInt8] = [], icc: [UInt8] = []) throws {
        let folder = try TemporaryFolder()
        try Data(exif).write(to: folder.url.appendingPathComponent("exif"))
        try Data(icc).write(to: folder.url.appendingPathComponent("icc"))
        let format = color.contains("@") ? "rgba" : "rgb24"
        let picture = try SampleClips.make(
            "in.png", "-f lavfi -i color=\(color):size=50x34,format=\(format) -frames:v 1")
        let command = encoder.split(separator: " ").map(String.init)
        try Program.run(
            command + (command[0] == "avifenc" ? [picture, "out"] : [picture, "-o", "out"]), in: folder.url)
        bytes = Array(try Data(contentsOf: folder.url.appendingPathComponent("out")))
    }
}
