import Foundation
import TestSupport
import Testing

/// What programs that are not ours say of our files.
enum Reader {
    /// ffprobe's JSON of all streams.
    static func streams(_ movie: String) throws -> [[String: Any]] {
        let outcome = try Program.system(
            "ffprobe", ["-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", movie])
        try #require(outcome.status == 0 && outcome.errors.isEmpty, "ffprobe: \(outcome.errors)")
        let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        return try #require(document?["streams"] as? [[String: Any]])
    }

    /// exiftool's tags by name.
    static func tags(_ file: String) throws -> [String: Any] { try tags(each: [file])[0] }

    /// exiftool's tags of both files of a pair, by name.
    static func tags(of pair: Report) throws -> (photo: [String: Any], movie: [String: Any]) {
        let tags = try tags(each: [pair.photo, pair.movie])
        return (tags[0], tags[1])
    }

    private static func tags(each files: [String]) throws -> [[String: Any]] {
        let outcome = try Program.system("exiftool", ["-j", "-ee", "-n"] + files)
        try #require(outcome.status == 0, "exiftool: \(outcome.errors)")
        let documents = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
        return try #require(documents?.count == files.count ? documents : nil)
    }

    /// Presentation times of a movie's frames, in seconds, as a player sees them.
    static func frameTimes(_ movie: String) throws -> [Double] {
        let outcome = try Program.system(
            "ffprobe",
            ["-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts_time", "-of", "csv=p=0", movie])
        return outcome.output.split(separator: "\n").compactMap { Double($0.prefix { $0 != "," }) }
    }

    /// The numbers that the pictures of each clip show: eight columns from left to right, the least bit first, white for 1.
    static func numbers(each clips: [String]) throws -> [[Int]] {
        let folder = try TemporaryFolder()
        let outcomes = try Program.system(
            "ffmpeg",
            each: clips.enumerated().map { index, clip in
                ["-v", "error", "-nostdin", "-i", clip, "-map", "0:v:0"]
                    + ["-vf", "crop=iw:ih/2,scale=8:1:flags=area,format=gray"]
                    + ["-fps_mode", "passthrough", "-f", "rawvideo", folder.path("\(index)")]
            })
        return try outcomes.indices.map { index in
            try #require(outcomes[index].status == 0, "\(outcomes[index].errors)")
            return numbers([UInt8](try Data(contentsOf: folder.url.appendingPathComponent("\(index)"))))
        }
    }

    private static func numbers(_ pixels: [UInt8]) -> [Int] {
        stride(from: 0, to: pixels.count, by: 8).map { start in
            (0..<8).reduce(0) { $0 | (pixels[start + $1] > 128 ? 1 << $1 : 0) }
        }
    }

    /// How much of a clip's sound, in seconds, decodes.
    static func soundLength(_ movie: String) throws -> Double {
        let outcome = try Program.system(
            "ffprobe",
            ["-v", "error", "-select_streams", "a:0", "-show_entries", "stream=duration", "-of", "csv=p=0", movie])
        return try #require(Double(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// Mean volume of a clip's sound in dB, 0 being a full square wave; nil when it has no sound.
    static func volume(_ movie: String) throws -> Double? {
        let outcome = try Program.system(
            "ffmpeg", ["-v", "info", "-nostdin", "-i", movie, "-vn", "-af", "volumedetect", "-f", "null", "-"])
        guard let text = outcome.errors.components(separatedBy: "mean_volume: ").dropFirst().first else { return nil }
        return Double(text.prefix { $0.isNumber || $0 == "." || $0 == "-" })
    }

    /// When the first beep after silence begins, and when the first white frame after black ones is shown.
    static func beepAndFlash(_ movie: String) throws -> (beep: Double, flash: Double) {
        let (beeps, flashes) = try beepsAndFlashes(movie)
        return (try #require(beeps.first), try #require(flashes.first))
    }

    /// When beeps after silence begin, and when white frames after black ones are shown; the end counts too.
    static func beepsAndFlashes(_ movie: String) throws -> (beeps: [Double], flashes: [Double]) {
        try beepsAndFlashes(each: [movie])[0]
    }

    static func beepsAndFlashes(each movies: [String]) throws -> [(beeps: [Double], flashes: [Double])] {
        // Both in one run: ffmpeg's zero is the first of the streams that it reads.
        let outcomes = try Program.system(
            "ffmpeg",
            each: movies.map {
                ["-v", "info", "-nostdin", "-i", $0, "-vf", "blackdetect=d=0.1:pix_th=0.3"]
                    + ["-af", "silencedetect=noise=-20dB:duration=0.1", "-f", "null", "-"]
            })
        return outcomes.map { outcome in
            func times(after name: String) -> [Double] {
                outcome.errors.components(separatedBy: name).dropFirst().compactMap { text in
                    Double(text.prefix { $0.isNumber || $0 == "." })
                }
            }
            return (times(after: "silence_end: "), times(after: "black_end:"))
        }
    }

    /// Pixels of a row of a photo or of a movie's first frame, each as 8-bit RGB.
    static func pixel(_ file: String, _ x: Int, _ y: Int, count: Int = 1) throws -> [Int] {
        let folder = try TemporaryFolder()
        let raw = folder.path("pixel.rgb")
        let outcome = try Program.system(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-i", file, "-frames:v", "1", "-vf",
                "scale=in_color_matrix=auto,format=gbrp,crop=\(count):1:\(x):\(y):exact=1,format=rgb24", "-f",
                "rawvideo", raw,
            ])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try Data(contentsOf: URL(fileURLWithPath: raw)).map(Int.init)
    }

    /// Structural similarity of the luma of two pictures: each a file and the time of the frame in it.
    static func similarity(_ first: (String, Double?), _ second: (String, Double?), filters: String = "null") throws
        -> Double
    {
        func input(_ picture: (String, Double?)) -> [String] {
            // A little before, so that a frame at exactly this time is not passed over.
            (picture.1.map { ["-ss", String(max($0 - 0.002, 0))] } ?? []) + ["-i", picture.0]
        }
        let graph =
            "[0:v]trim=end_frame=1,\(filters),scale=iw:ih:flags=area,format=gbrp,format=gray,setpts=0[a];"
            + "[1:v]trim=end_frame=1,format=gbrp,format=gray,setpts=0[b];"
            + "[a][b]scale2ref=flags=area[c][d];[c][d]ssim"
        let outcome = try Program.system(
            "ffmpeg",
            ["-v", "info", "-nostdin"] + input(first) + input(second) + ["-filter_complex", graph, "-f", "null", "-"])
        let text = try #require(outcome.errors.components(separatedBy: "All:").dropFirst().first, "\(outcome.errors)")
        return try #require(Double(text.prefix { $0.isNumber || $0 == "." }))
    }
}
