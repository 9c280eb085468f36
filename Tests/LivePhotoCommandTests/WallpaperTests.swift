import Bytes
import Foundation
import QuickTime
import SystemPackage
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
        let made = try convert(SampleClips.beach(), "--name", "beach", "--still", "1.5", "--motion", "measured")
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

    @Test func `the still time and each record have the bytes of the reported recipes`() throws {
        let made = try convert(SampleClips.moving("fast.mp4", rate: "60", seconds: 2))
        let movie = try Data(contentsOf: URL(fileURLWithPath: made.movie))
        let still = hex(
            """
            00000009 00000001 ff
            00000050 00000002  ; the identity in float64
              3ff0000000000000 0000000000000000 0000000000000000
              0000000000000000 3ff0000000000000 0000000000000000
              0000000000000000 0000000000000000 3ff0000000000000
            00000010 00000003 42a40000 43340000  ; 82x180 in float32
            """)
        let place = try #require(movie.range(of: Data(still)))
        for frame in 0..<made.frames {
            let time = (UInt64(frame) * 1_000_000_000 + 30) / 60 + 1_000_000_000
            let nanoseconds = (0..<8).map { UInt8(truncatingIfNeeded: time >> (8 * $0)) }
            var record = hex("00000090 00000001") + [UInt8](repeating: 0, count: 136)
            let one = hex("0000803f")
            for (offset, bytes) in [
                (0, hex("03000000 8988883c")),  // version 3; 1/60 s
                (42, hex("0900")),  // exposure and blur are valid
                (64, hex("0700")),  // homography, time and original time are valid
                (68, one), (84, one), (100, one), (104, nanoseconds), (112, nanoseconds),
            ] {
                record.replaceSubrange(8 + offset..<8 + offset + bytes.count, with: bytes)
            }
            let start = place.upperBound + frame * 144
            #expect(record.count == 144 && Array(movie[start..<start + 144]) == record, "\(frame)")
        }
        #expect(made.frames == 108)
    }

    /// A picture with detail everywhere.
    private static let scene = "-f lavfi -i mandelbrot=size=720x1280:rate=30:start_scale=0.4"

    @Test func `the transform to a photo of one's own is measured, and left out if it shows something else`() throws {
        let clip = try SampleClips.make(
            "scene.mp4",
            "\(Self.scene) -vf trim=end_frame=1,loop=89:1,setpts=N/30/TB -frames:v 90 -c:v libx264 -preset ultrafast -qp 12"
        )
        func transform(_ filter: String) throws -> [Double]? {
            let photo = try SampleClips.make(
                "turned-\(filter.hashValue).jpg", "\(Self.scene) -frames:v 1 -vf \(filter)")
            let made = try convert(clip, "--photo", photo, "--fill", "9:16", "--force")
            #expect(
                made.warnings.contains { $0.contains("the photo cannot be compared with") } == filter.contains("negate")
            )
            let values = try MovieReader(InputFile(FilePath(made.movie))).stillImageTime()?.otherValues ?? []
            guard let transform = StillImageTransform(values) else { return nil }
            return transform.matrix.map { $0 / transform.matrix[8] }
        }
        let same = try #require(try transform("null"))
        #expect(zip(same, [1, 0, 0, 0, 1, 0, 0, 0, 1]).allSatisfy { abs($0 - $1) < 1 }, "\(same)")
        // 0.02 clockwise around the centre, with y upward.
        let turned = try #require(try transform("rotate=0.02"))
        let (x, y) = (turned[0] * 360 + turned[1] * 640 + turned[2], turned[3] * 360 + turned[4] * 640 + turned[5])
        let scale = turned[6] * 360 + turned[7] * 640 + 1
        #expect(abs(x / scale - 360) < 2 && abs(y / scale - 640) < 2, "\(turned)")
        #expect(abs(turned[1] - 0.02) < 0.003 && abs(turned[3] + 0.02) < 0.003, "\(turned)")
        #expect(try transform("hflip,negate") == nil)
    }

    @Test func `frames of a slow clip are shown several times if that is asked for`() throws {
        let clip = try SampleClips.moving("half.mp4", rate: "30", seconds: 2)
        let made = try convert(clip, "--fps", "60", "--repeat-frames")
        #expect(made.frames == 108 && made.warnings.contains { $0.contains("each frame is shown 2 times") })
        let times = try Reader.frameTimes(made.movie)
        #expect(zip(times.dropFirst(), times).allSatisfy { abs($0 - $1 - 1.0 / 60) < 0.001 })
    }

    @Test(arguments: ["20-60", "30-60", "60"])
    func `frames before a pause are shown as long as it lasts, at the same rate`(
        rates: String
    ) throws {
        let moving = try SampleClips.moving("pause-source.mp4", rate: "30", seconds: 4)
        let clip = try SampleClips.make(
            "pause.mp4",
            "-i \(moving) -vf select=not(between(n\\,40\\,70)) -fps_mode passthrough -c:v libx264 -bf 0 -pix_fmt yuv420p"
        )
        let made = try convert(clip, "--fps", rates, "--repeat-frames", "--still", "2.5")
        let times = try Reader.frameTimes(made.movie)
        let longest = try #require(zip(times.dropFirst(), times).map { $0 - $1 }.max())
        #expect(longest < 0.051, "\(longest)")
    }

    @Test func `a camera that moves is told by convert and by verify, and a still one is not`() throws {
        func clip(_ name: String, _ crop: String) throws -> String {
            try SampleClips.make(
                name,
                "\(Self.scene) -vf trim=end_frame=1,loop=99:1,setpts=N/60/TB,crop=360:640:\(crop),drawbox=x=160:y=300:w=40:h=40"
                    + ":color=red:t=fill:enable='lt(mod(n,8),4)' -r 60 -frames:v 100 -c:v libx264 -preset ultrafast -qp 12"
            )
        }
        let moving = try convert(clip("pan.mp4", "x='2*n':y=200"), "--fill", "9:16")
        let sentence = /the camera moves by \d+ % of the picture in the second before the still/
        #expect(moving.warnings.contains { $0.contains(sentence) && $0.contains("--stabilize") }, "\(moving.warnings)")
        let planned = try Program.livephoto(
            "convert", clip("pan.mp4", "x='2*n':y=200"), "--preset", "wallpaper", "--fill", "9:16", "--dry-run", "-o",
            folder.path("other"))
        #expect(planned.status == 0 && planned.output.contains(sentence), "\(planned.output)")
        let still = try convert(clip("still.mp4", "x=200:y=200"), "--fill", "9:16", "--force")
        #expect(still.warnings.isEmpty, "\(still.warnings)")
        for (made, isFound) in [(moving, true), (still, false)] {
            let outcome = try Program.livephoto(
                "verify", made.photo, made.movie, "--profile", "wallpaper", "--pixels")
            #expect(
                outcome.status == 0 && outcome.output.contains("wallpaper-steadiness") == isFound, "\(outcome.output)")
        }
    }

    @Test func `records of a camera that does not move stay so in an edit`() throws {
        let made = try convert(SampleClips.beach(), "--name", "beach", "--still", "1.5")
        let outcome = try Program.livephoto(
            "edit", made.photo, "--crop", "0,0,60,120", "-o", folder.path("cropped"), "--name", "cropped")
        try #require(outcome.status == 0, "\(outcome.errors)")
        let (before, after) = (try inspect(made.movie).info, try inspect(folder.path("cropped/cropped.MOV")).info)
        #expect(after.width == 58 && before.width != 58 && after.records == before.records)
    }

    @Test func `inspect says what the records hold`() throws {
        let made = try convert(SampleClips.beach(), "--fill", "16:9", "--duration", "1", "--motion", "measured")
        let outcome = try Program.livephoto("inspect", made.movie)
        #expect(
            outcome.output.contains(" records for pictures of 320x180, ")
                && outcome.output.contains("the camera moved by ("), "\(outcome.output)")
    }
}
