import Foundation
import TestSupport
import Testing

/// `--preset wallpaper`, and the motion that it measures.
@Suite struct WallpaperTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A camera that moves in front of a still picture: the corners of frame `in` in the picture, and where a point of a frame,
    /// relative to the centre, is in the next one.
    struct Camera: Sendable, CustomTestStringConvertible {
        let name: String
        let corner: @Sendable (_ x: String, _ y: String) -> (x: String, y: String)
        let next: @Sendable (_ x: Double, _ y: Double) -> (x: Double, y: Double)

        var testDescription: String { name }

        static let all = [
            Camera(
                name: "pan", corner: { ("W/2+\($0)+2.3*in", "H/2+\($1)-0.9*in") }, next: { ($0 - 2.3, $1 + 0.9) }),
            Camera(
                name: "zoom", corner: { ("W/2+\($0)*pow(0.992,in)", "H/2+\($1)*pow(0.992,in)") },
                next: { ($0 / 0.992, $1 / 0.992) }),
            Camera(
                name: "rotation",
                corner: {
                    ("W/2+\($0)*cos(0.008*in)+\($1)*sin(0.008*in)", "H/2+\($1)*cos(0.008*in)-\($0)*sin(0.008*in)")
                },
                next: { x, y in
                    let (cosine, sine) = (cos(0.008), sin(0.008))
                    return (cosine * x - sine * y, sine * x + cosine * y)
                }),
        ]

        /// - Parameter rate: frames a second.
        func clip(rate: Int) throws -> String {
            let places = zip(0..., [("(-W/2)", "(-H/2)"), ("W/2", "(-H/2)"), ("(-W/2)", "H/2"), ("W/2", "H/2")])
            let options = places.map { index, place in
                let (x, y) = corner(place.0, place.1)
                return "x\(index)='\(x)':y\(index)='\(y)'"
            }
            return try SampleClips.make(
                "\(name)\(rate).mp4",
                "-f lavfi -i mandelbrot=size=640x360:rate=\(rate):start_scale=0.4 -vf trim=end_frame=1,loop=49:1"
                    + ",setpts=N/\(rate)/TB,perspective=\(options.joined(separator: ":")):sense=source:eval=frame"
                    + ":interpolation=cubic,crop=480:270 -frames:v 40 -r \(rate) -c:v libx264 -preset ultrafast -qp 10"
                    + " -pix_fmt yuv420p")
        }
    }

    private struct Inspected: Decodable {
        struct Movie: Decodable { let tracks: [Track] }
        struct Track: Decodable {
            let livePhotoInfo: Info?
            let video: Video?
        }
        struct Video: Decodable { let framesPerSecond: Double }
        struct Info: Decodable {
            let width: Int
            let height: Int
            let records: [Record]
        }
        struct Record: Decodable, Hashable {
            let time: Double
            let motion: [Double]?
            let blur: [Double]?
            let homography: [Double]?
        }
        let movie: Movie
    }

    private func inspect(_ movie: String) throws -> (info: Inspected.Info, rate: Double) {
        let outcome = try Program.livephoto("inspect", movie, "--json")
        let tracks = try JSONDecoder().decode(Inspected.self, from: Data(outcome.output.utf8)).movie.tracks
        return (
            try #require(tracks.compactMap(\.livePhotoInfo).first),
            try #require(tracks.compactMap(\.video).first?.framesPerSecond)
        )
    }

    private func convert(_ clip: String, _ options: String...) throws -> Report {
        try Report(
            Program.livephoto(["convert", clip, "--preset", "wallpaper", "-o", folder.url.path, "--json"] + options))
    }

    private func expectWallpaper(_ photo: String, _ movie: String) throws {
        let outcome = try Program.livephoto("verify", "--profile", "wallpaper", photo, movie)
        // Sample clips are short and slow.
        let findings = outcome.output.matches(of: /\((wallpaper-[a-z-]+), reported\)/).map { String($0.1) }
        #expect(
            outcome.status == 0 && Set(findings).isSubset(of: ["wallpaper-full-rate", "wallpaper-still"]),
            "\(outcome.output)")
    }

    private static func place(_ homography: [Double], _ x: Double, _ y: Double) -> (x: Double, y: Double) {
        let scale = homography[6] * x + homography[7] * y + homography[8]
        return (
            (homography[0] * x + homography[1] * y + homography[2]) / scale,
            (homography[3] * x + homography[4] * y + homography[5]) / scale
        )
    }

    @Test(arguments: Camera.all) func `the motion of a camera is measured within a pixel a frame`(camera: Camera) throws
    {
        let made = try convert(camera.clip(rate: 30), "--fill", "16:9", "--motion", "measured")
        let info = try inspect(made.movie).info
        #expect(info.width == 480 && info.height == 270 && info.records.count == 40)
        let times = try Reader.frameTimes(made.movie)
        #expect(times.count == 40 && zip(info.records, times).allSatisfy { abs($0.time - $1) < 0.001 })
        for (record, next) in zip(info.records, info.records.dropFirst()) {
            let (here, there) = (try #require(record.homography), try #require(next.homography))
            for (x, y) in [(0.0, 0.0), (480, 0), (0, 270), (480, 270), (240, 135)] {
                let (place, found) = (Self.place(here, x, y), Self.place(there, x, y))
                let expected = camera.next(place.x - 240, place.y - 135)
                #expect(
                    abs(found.x - expected.x - 240) < 1 && abs(found.y - expected.y - 135) < 1,
                    "\(record.time) s, (\(x), \(y)): \(found)")
            }
            let (motion, nextMotion) = (try #require(record.motion), try #require(next.motion))
            let expected = camera.next(0, 0)
            #expect(
                abs(nextMotion[0] - motion[0] + expected.x) < 0.5 && abs(nextMotion[1] - motion[1] + expected.y) < 0.5)
        }
        let blur = try #require(info.records[20].blur)
        let expected = camera.next(0, 0)
        #expect(abs(blur[0] + expected.x / 2) < 0.3 && abs(blur[1] + expected.y / 2) < 0.3)
    }

    @Test func `a clip of 60 frames a second keeps them, in the shape of a phone's screen`() throws {
        let clip = try SampleClips.moving("fast.mp4", rate: "60", seconds: 1)
        let made = try convert(clip)
        try expectWallpaper(made.photo, made.movie)
        #expect(try inspect(made.movie).rate == 60)
        #expect(made.width == 82 && made.height == 180 && made.photoWidth == 83)
        #expect(made.warnings.isEmpty)
    }

    @Test func `a clip that is too slow or too short for the lock screen becomes a pair with warnings`() throws {
        let clip = try SampleClips.moving("slow.mp4", rate: "12", seconds: 1)
        let made = try convert(clip)
        let reasons = ["only 12 fps; the lock screen is reported to need 20 fps", "6 frames precede the still time"]
        for reason in reasons { #expect(made.warnings.contains { $0.contains(reason) }, "\(made.warnings)") }
        let outcome = try Program.livephoto("verify", "--profile", "wallpaper", made.photo, made.movie)
        #expect(outcome.status == 1 && outcome.output.contains("(wallpaper-rate, reported)"), "\(outcome.output)")
    }

    @Test func `what is made of a wallpaper stays one, with the same records where they are true`() throws {
        let made = try convert(SampleClips.beach(), "--name", "beach", "--still", "1.5")
        let records = try inspect(made.movie).info.records
        func edit(_ name: String, _ options: String...) throws -> Inspected.Info {
            let outcome = try Program.livephoto(
                ["edit", made.photo, "-o", folder.path(name), "--name", name] + options)
            try #require(outcome.status == 0, "\(outcome.errors)")
            let pair = (photo: folder.path("\(name)/\(name).JPG"), movie: folder.path("\(name)/\(name).MOV"))
            try expectWallpaper(pair.photo, pair.movie)
            return try inspect(pair.movie).info
        }
        #expect(try edit("later", "--still", "1.6", "--no-audio").records == records)
        #expect(try edit("brighter", "--exposure", "0.5").records.map(\.homography) == records.map(\.homography))
        let cropped = try edit("cropped", "--crop", "0,0,60,120")
        #expect(cropped.width == 58 && cropped.height == 120)
        #expect(cropped.records.count == records.count && cropped.records != records)
        for format in ["livp", "motion-photo"] {
            let packed = try Program.livephoto(
                "pack", made.photo, "--as", format, "-o", folder.path("packed"), "-f")
            try #require(packed.status == 0, "\(packed.errors)")
            let file = try #require(packed.output.split(separator: "\n").last.map(String.init))
            let extracted = try Program.livephoto("extract", file, "-o", folder.path("from-\(format)"))
            try #require(extracted.status == 0, "\(extracted.errors)")
            let movie = try #require(
                extracted.output.split(separator: "\n").first { $0.hasSuffix(".MOV") }.map(String.init))
            #expect(try inspect(movie).info.records == records, "\(format)")
        }
    }

    @Test func `inspect says what the records hold`() throws {
        let made = try convert(SampleClips.beach(), "--fill", "16:9", "--duration", "1", "--motion", "measured")
        let outcome = try Program.livephoto("inspect", made.movie)
        #expect(
            outcome.output.contains(" records for pictures of 320x180, ")
                && outcome.output.contains("the camera moved by ("), "\(outcome.output)")
    }
}
