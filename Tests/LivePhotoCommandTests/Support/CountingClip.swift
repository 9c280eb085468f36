import Foundation
import TestSupport
import Testing

/// A clip for a table of tests, made by ffmpeg.
struct ClipRecipe: Sendable, CustomTestStringConvertible {
    /// A file name; its ending names the container.
    let name: String
    /// ffmpeg's, after the input.
    let options: String
    var testDescription: String { "\(name): \(options)" }

    init(_ name: String, _ options: String) { (self.name, self.options) = (name, options) }
}

/// A clip of 8 s at 25 fps whose pictures show their numbers in their upper half, as `Reader.numbers` reads them, and a
/// moving pattern of colours below.
enum CountingClip {
    static let rate = 25
    static let seconds = 8

    /// - Parameters:
    ///   - name: its ending names the container.
    ///   - options: ffmpeg's, after the input.
    static func make(_ name: String, _ options: String) throws -> String {
        try SampleClips.make(name, "-i \(original()) \(options)")
    }

    /// What all of them are made of, without loss.
    static func original() throws -> String {
        let bit = "255*mod(floor(N/pow(2,floor(X/16))),2)"
        func channel(_ shift: Int) -> String { "'if(lt(Y,48),\(bit),128+100*sin((X+4*N+\(shift))/20))'" }
        return try SampleClips.make(
            "counting.nut",
            "-f lavfi -i nullsrc=s=128x96:r=\(rate):d=\(seconds),format=gbrp,"
                + "geq=r=\(channel(0)):g=\(channel(40)):b=\(channel(80)) -c:v rawvideo -pix_fmt bgr24")
    }

    /// The clip's bytes after `change`, in a file of that name.
    static func changed(
        _ clip: String, in folder: TemporaryFolder, _ change: (inout Data) throws -> Void
    ) throws -> String {
        var data = try Data(contentsOf: URL(fileURLWithPath: clip))
        try change(&data)
        let path = folder.path((clip as NSString).lastPathComponent)
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }
}

extension Data {
    /// Puts `new` in the place of each `old`; at least one has to be there.
    mutating func replaceAll(_ old: String, with new: String) throws {
        let old = Data(old.utf8)
        try #require(range(of: old) != nil)
        while let place = range(of: old) { replaceSubrange(place, with: Data(new.utf8)) }
    }
}

/// Converts a clip with its still at each of `stills`, and holds photo and movie to a decoding of the whole clip by ffmpeg,
/// from its first packet on: the same pictures, in the same colours.
func expectFullDecode(
    _ clip: String, stills: [Double] = [0.5, 4, 7.5], warnings: (Double) -> [String] = { _ in [] },
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let whole = try FullDecode(clip)
    for still in stills {
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto("convert", clip, "--still", "\(still)", "-o", folder.url.path, "--json"))
        #expect(report.warnings == warnings(still), sourceLocation: sourceLocation)
        let frame = try whole.frame(at: report.stillTimeInClip)
        let photo = try FullDecode(report.photo)
        #expect(photo.numbers == [whole.numbers[frame]], "still \(still)", sourceLocation: sourceLocation)
        #expect(
            abs(photo.means[0] - whole.means[frame]) <= 4, "mean luma \(photo.means[0]), not \(whole.means[frame])",
            sourceLocation: sourceLocation)
        let movie = try FullDecode(report.movie)
        let start = report.stillTimeInClip - report.stillTime
        let frames = try movie.times.map { try whole.frame(at: start + $0) }
        #expect(movie.numbers == frames.map { whole.numbers[$0] }, "still \(still)", sourceLocation: sourceLocation)
        for (mean, frame) in zip(movie.means, frames) {
            #expect(abs(mean - whole.means[frame]) <= 4, sourceLocation: sourceLocation)
        }
    }
}

/// All pictures of a file, decoded by ffmpeg from the first packet on.
struct FullDecode {
    /// In seconds from where players begin.
    let times: [Double]
    /// What they show, as a `CountingClip` does.
    let numbers: [Int]
    /// Mean luma of each picture, 0 to 255.
    let means: [Double]

    /// - Parameter options: ffmpeg's, of the input.
    init(_ file: String, _ options: [String] = []) throws {
        let folder = try TemporaryFolder()
        let outcome = try Program.system(
            "ffmpeg",
            ["-v", "info", "-nostdin"] + options + ["-i", file, "-map", "0:v:0", "-fps_mode", "passthrough"]
                + ["-vf", "format=gbrp,scale=128:96,format=gray,showinfo=checksum=0"]
                + ["-f", "rawvideo", folder.path("pictures")])
        try #require(outcome.status == 0, "\(outcome.errors)")
        let times = outcome.errors.components(separatedBy: " pts_time:").dropFirst().compactMap {
            Double($0.prefix { $0.isNumber || $0 == "." || $0 == "-" })
        }
        let pixels = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("pictures"))))
        let pictures = stride(from: 0, to: pixels.count, by: 128 * 96).map { pixels[$0..<$0 + 128 * 96] }
        try #require(times.count == pictures.count && !pictures.isEmpty)
        self.times = times
        means = pictures.map { Double($0.reduce(0) { $0 + Int($1) }) / Double($0.count) }
        numbers = pictures.map { picture in
            (0..<8).reduce(0) { $0 | (picture[picture.startIndex + 24 * 128 + 16 * $1 + 8] > 127 ? 1 << $1 : 0) }
        }
    }

    /// The picture shown at `time`.
    func frame(at time: Double) throws -> Int {
        try #require(times.lastIndex { $0 <= time + 0.006 })
    }
}
