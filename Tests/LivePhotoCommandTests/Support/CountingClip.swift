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
    let folder = try TemporaryFolder()
    let reports = try Program.livephoto(
        each: stills.map { ["convert", clip, "--still", "\($0)", "-o", folder.path("\($0)"), "--json"] }
    ).map { try Report($0) }
    let whole = try FullDecode(clip)
    let photos = try FullDecode.each(reports.map(\.photo))
    let movies = try FullDecode.each(reports.map(\.movie))
    for (index, (still, report)) in zip(stills, reports).enumerated() {
        let (photo, movie) = (photos[index], movies[index])
        #expect(report.warnings == warnings(still), sourceLocation: sourceLocation)
        let frame = try whole.frame(at: report.stillTimeInClip)
        #expect(photo.numbers == [whole.numbers[frame]], "still \(still)", sourceLocation: sourceLocation)
        #expect(
            abs(photo.means[0] - whole.means[frame]) <= 4, "mean luma \(photo.means[0]), not \(whole.means[frame])",
            sourceLocation: sourceLocation)
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
    init(_ file: String, _ options: [String] = []) throws { self = try Self.each([file], options)[0] }

    /// Files that are decoded at the same time.
    static func each(_ files: [String], _ options: [String] = []) throws -> [FullDecode] {
        let folder = try TemporaryFolder()
        let outcomes = try Program.system(
            "ffmpeg",
            each: files.enumerated().map { index, file in
                ["-v", "info", "-nostdin"] + options + ["-i", file, "-map", "0:v:0", "-fps_mode", "passthrough"]
                    + ["-vf", "format=gbrp,scale=128:96,format=gray,showinfo=checksum=0"]
                    + ["-f", "rawvideo", folder.path("\(index)")]
            })
        return try outcomes.enumerated().map { index, outcome in
            try FullDecode(outcome, pixels: [UInt8](Data(contentsOf: folder.url.appendingPathComponent("\(index)"))))
        }
    }

    private init(_ outcome: Outcome, pixels: [UInt8]) throws {
        try #require(outcome.status == 0, "\(outcome.errors)")
        let times = outcome.errors.components(separatedBy: " pts_time:").dropFirst().compactMap {
            Double($0.prefix { $0.isNumber || $0 == "." || $0 == "-" })
        }
        let pictures = stride(from: 0, to: pixels.count, by: 128 * 96).map { pixels[$0..<$0 + 128 * 96] }
        try #require(times.count == pictures.count && !pictures.isEmpty)
        self.times = times
        means = pictures.map { Double(Self.sum($0)) / Double($0.count) }
        numbers = pictures.map { picture in
            (0..<8).reduce(0) { $0 | (picture[picture.startIndex + 24 * 128 + 16 * $1 + 8] > 127 ? 1 << $1 : 0) }
        }
    }

    /// The sum of bytes, whose count is a multiple of eight: one by one that takes a second in a debug build.
    private static func sum(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 8).reduce(0) { sum, offset in
                let eight = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                // Four sums of two bytes each, then all four in the upper 16 bits.
                let pairs = (eight & 0x00FF_00FF_00FF_00FF) + (eight >> 8 & 0x00FF_00FF_00FF_00FF)
                return sum + Int((pairs &* 0x0001_0001_0001_0001) >> 48)
            }
        }
    }

    /// The picture shown at `time`.
    func frame(at time: Double) throws -> Int {
        try #require(times.lastIndex { $0 <= time + 0.006 })
    }
}
