import Foundation
import TestSupport
import Testing

/// `link` and `unlink`, held to their promise by programs that are not ours.
@Suite struct LinkTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func movie(_ ending: String) throws -> String {
        let made = try SampleClips.moving("plain.\(ending)", seconds: 2)
        let path = folder.path("movie.\(ending)")
        try FileManager.default.copyItem(atPath: made, toPath: path)
        return path
    }

    /// The movie's frame at a time, as a photo that knows nothing of it.
    private func photo(at time: Double, of movie: String) throws -> String {
        let path = folder.path("photo.jpg")
        let outcome = try Program.system(
            "ffmpeg", ["-v", "error", "-nostdin", "-i", movie, "-ss", "\(time)", "-frames:v", "1", "-q:v", "2", path])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return path
    }

    private func run(_ arguments: String...) throws -> Outcome { try Program.livephoto(arguments, in: folder.url) }

    /// Digests of all packets of picture and sound, as ffmpeg reads them.
    private func media(_ movie: String) throws -> String {
        let outcome = try Program.system(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-i", movie, "-map", "0:v", "-map", "0:a", "-c", "copy"]
                + ["-f", "streamhash", "-"])
        try #require(outcome.status == 0 && outcome.output.count > 100, "\(outcome.errors)")
        return outcome.output
    }

    private func scan(_ photo: String) throws -> Data {
        let data = try Data(contentsOf: URL(fileURLWithPath: photo))
        return data[try #require(data.firstRange(of: Data([0xFF, 0xDA]))).lowerBound...]
    }

    private func verified(_ movie: String) throws -> Outcome { try run("verify", movie, "--json") }

    @Test(arguments: ["mov", "mp4"]) func `a photo and a movie become a pair at the moment that the photo shows`(
        ending: String
    ) throws {
        let movie = try movie(ending)
        let photo = try photo(at: 1.2, of: movie)
        let outcome = try run("link", photo, movie, "--output", "live", "--name", "both")
        #expect(outcome.status == 0 && outcome.output == "live/both.JPG\nlive/both.MOV\n", "\(outcome.errors)")
        #expect(try media(folder.path("live/both.MOV")) == media(movie))
        #expect(try scan(folder.path("live/both.JPG")) == scan(photo))
        let check = try verified("live/both.MOV")
        #expect(check.status == 0 && check.output.contains("\"findings\":[]"), "\(check.output)")
        let document = try JSONSerialization.jsonObject(with: Data(check.output.utf8)) as? [String: Any]
        let time = try #require(document?["stillTime"] as? Double)
        #expect(abs(time - 1.2) < 0.034, "\(time)")
    }

    @Test(arguments: [("default", "0", 320), ("0", "default", 160), ("default", "default", 320)])
    func `of several video tracks, the first one that is enabled is kept, with a note`(
        first: String, second: String, width: Int
    ) throws {
        let movie = try SampleClips.make(
            "two-\(first)-\(second).mov",
            "-f lavfi -i testsrc2=size=320x240:rate=15:duration=1 -f lavfi -i testsrc2=size=160x120:rate=15:duration=1 "
                + "-map 0:v -map 1:v -c:v libx264 -pix_fmt yuv420p -disposition:v:0 \(first) -disposition:v:1 \(second)"
        )
        let photo = try photo(at: 0.4, of: movie)
        let outcome = try run("link", photo, movie, "--output", "live", "--name", "a")
        #expect(outcome.status == 0 && outcome.errors.contains("the movie has 2 video tracks"), "\(outcome.errors)")
        let streams = try Program.system(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "stream=width", "-of", "csv=p=0"]
                + [folder.path("live/a.MOV")])
        #expect(streams.output == "\(width)\n")
        let check = try verified("live/a.MOV")
        #expect(!check.output.contains("\"severity\":\"error\""), "\(check.output)")
        // The copy decodes to the pictures of that track.
        func pictures(_ path: String, _ stream: String) throws -> String {
            try Program.system(
                "ffmpeg",
                ["-v", "error", "-nostdin", "-i", path, "-map", stream, "-c", "copy", "-f", "streamhash", "-"]
            ).output
        }
        #expect(try pictures(folder.path("live/a.MOV"), "0:v:0") == pictures(movie, width == 320 ? "0:v:0" : "0:v:1"))
    }

    @Test func `in place, files keep their names, times and media, and that and an unlink are undone`() throws {
        let movie = try movie("mov")
        let photo = try photo(at: 0, of: movie)
        let original = try [photo, movie].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        let before = try (media(movie), scan(photo))
        let date = Date(timeIntervalSince1970: 1_500_000_000)
        for path in [photo, movie] {
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        let outcome = try run("link", "photo.jpg", "movie.mov", "--in-place", "--still", "50%", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try (media(movie), scan(photo)) == before)
        for path in [photo, movie] {
            let changed = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            #expect(changed == date)
        }
        #expect(try run("verify", "photo.jpg", "movie.mov").status == 0)
        #expect(try run("unlink", "photo.jpg", "movie.mov", "--in-place").status == 0)
        let undone = try run("undo", "photo.jpg")
        #expect(undone.status == 0 && undone.errors == "2 files restored\n", "\(undone.errors)")
        #expect(try [photo, movie].map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == original)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["movie.mov", "photo.jpg"])
    }

    @Test func `a pair that lost its link through a copy is linked again`() throws {
        #expect(try run("convert", SampleClips.beach(), "--name", "beach").status == 0)
        let copy = try Program.system(
            "ffmpeg", ["-v", "error", "-nostdin", "-i", "beach.MOV", "-map", "0", "-c", "copy", "copy.MOV"],
            in: folder.url)
        #expect(copy.status == 0)
        #expect(try run("verify", "beach.JPG", "copy.MOV").status == 1)
        #expect(try run("link", "beach.JPG", "copy.MOV", "-o", "linked").status == 0)
        let check = try verified("linked/beach.MOV")
        #expect(check.status == 0 && check.output.contains("\"findings\":[]"), "\(check.output)")
        // Of the photo the identifier is kept.
        let tags = try Reader.tags(folder.path("beach.JPG"))
        let identifier = try #require((tags["ContentIdentifier"] ?? tags["MediaGroupUUID"]) as? String)
        #expect(check.output.contains(identifier))
    }

    @Test(arguments: [["--in-place"], ["-o", "live"]])
    func `a movie that no device decodes is refused, and nothing is changed`(destination: [String]) throws {
        let made = try SampleClips.make(
            "full.mp4", "-f lavfi -i testsrc2=size=64x64:rate=10:duration=1 -c:v libx264 -pix_fmt yuv444p")
        let movie = folder.path("full.mp4")
        try FileManager.default.copyItem(atPath: made, toPath: movie)
        let photo = try photo(at: 0, of: movie)
        let before = try [photo, movie].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        let outcome = try Program.livephoto(["link", photo, movie, "--still", "0"] + destination, in: folder.url)
        #expect(outcome.status == 65 && outcome.errors.contains("High 4:4:4 Predictive"), "\(outcome.errors)")
        #expect(outcome.errors.contains("livephoto convert MOVIE --photo PHOTO"))
        #expect(try [photo, movie].map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
        #expect(!FileManager.default.fileExists(atPath: folder.path("live")))
    }

    @Test func `an HEVC movie with its parameter sets among the frames gets them in its sample description`() throws {
        let made = try SampleClips.make(
            "hev1.mp4",
            "-f lavfi -i testsrc2=size=64x64:rate=10:duration=1 -c:v libx265 -x265-params log-level=none -tag:v hev1")
        let photo = try photo(at: 0, of: made)
        #expect(try run("link", photo, made, "--still", "0", "-o", "live").status == 0)
        let tags = try Reader.streams(folder.path("live/photo.MOV")).compactMap { $0["codec_tag_string"] as? String }
        #expect(tags.first == "hvc1")
        #expect(try verified("live/photo.MOV").status == 0)
    }

    @Test func `unlinked files are plain ones, and can be linked again`() throws {
        #expect(try run("convert", SampleClips.beach(), "--name", "beach").status == 0)
        let before = try media(folder.path("beach.MOV"))
        #expect(try run("unlink", "beach.JPG", "--output", "plain").status == 0)
        let (photo, movie) = (folder.path("plain/beach.JPG"), folder.path("plain/beach.MOV"))
        #expect(try media(movie) == before)
        for file in [photo, movie] {
            let tags = try Reader.tags(file)
            #expect(tags["MediaGroupUUID"] == nil && tags["ContentIdentifier"] == nil)
        }
        #expect(try Reader.streams(movie).allSatisfy { $0["codec_type"] as? String != "data" })
        #expect(try run("link", "plain/beach.JPG", "--in-place").status == 0)
        #expect(try verified("plain/beach.MOV").output.contains("\"findings\":[]"))
        #expect(try media(movie) == before)
    }

    @Test func `what cannot be linked is an error that names the way, and nothing is changed`() throws {
        let movie = try movie("mov")
        _ = try photo(at: 0, of: movie)
        let webm = try SampleClips.make("small.webm", "-f lavfi -i testsrc2=size=64x64:duration=0.5 -c:v libvpx")
        let png = try SampleClips.make("small.png", "-f lavfi -i testsrc2=size=64x64 -frames:v 1")
        let before = try Data(contentsOf: URL(fileURLWithPath: movie))
        for (arguments, status, sentence) in [
            (["photo.jpg", "movie.mov"], 64, "give --output DIR to write copies"),
            (["photo.jpg", "movie.mov", "-o", "x", "--in-place"], 64, "exclude each other"),
            (["photo.jpg", "movie.mov", "-o", "x", "--still", "9"], 64, "the movie lasts 2 s"),
            (["photo.jpg", "movie.mov", "-o", "x", "--still", "#60"], 64, "#0 to #59"),
            (["photo.jpg", "none.mov", "-o", "x"], 66, "none.mov: no such file"),
            (["photo.jpg", webm, "-o", "x"], 65, "livephoto convert MOVIE --photo PHOTO"),
            ([png, "movie.mov", "-o", "x"], 65, "livephoto convert MOVIE --photo PHOTO"),
            (
                ["photo.jpg", "movie.mov", "-o", ".", "--name", "movie"], 73,
                "movie.MOV: differs only in case from movie.mov"
            ),
        ] {
            let outcome = try Program.livephoto(["link"] + arguments, in: folder.url)
            #expect(outcome.status == status && outcome.errors.contains(sentence), "\(arguments): \(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: movie)) == before)
    }
}

/// `pack` and `extract`.
@Suite struct PackTests {
    @Test(arguments: ["motion-photo", "livp", "pvt"])
    func `a pair that is packed and extracted again is the same pair`(format: String) throws {
        let folder = try TemporaryFolder()
        func run(_ arguments: String...) throws -> Outcome { try Program.livephoto(arguments, in: folder.url) }
        #expect(try run("convert", SampleClips.beach(), "--name", "beach", "--still", "1.2").status == 0)
        let name = "packed." + (format == "motion-photo" ? "MP.jpg" : format)
        let packed = try run("pack", "beach.JPG", "--as", format, "--output", name)
        #expect(packed.status == 0 && packed.output == "\(name)\n", "\(packed.errors)")
        let again = try run("pack", "beach.JPG", "--as", format, "--output", name)
        #expect(again.status == 0 && again.output.isEmpty && again.errors == "1 pair: 1 already present\n")
        try folder.write("text", to: "other-\(name)")
        let other = try run("pack", "beach.JPG", "--as", format, "--output", "other-\(name)")
        #expect(other.status == 73 && other.errors.contains("other-\(name)"), "\(other.errors)")
        let extracted = try run("extract", name, "--output", "out", "--name", "beach")
        #expect(extracted.output == "out/beach.JPG\nout/beach.MOV\n", "\(extracted.errors)")
        func verified(_ movie: String) throws -> [String: Any] {
            let outcome = try run("verify", movie, "--json")
            #expect(outcome.status == 0 && outcome.output.contains("\"findings\":[]"), "\(outcome.output)")
            let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            return try #require(document)
        }
        let (before, after) = (try verified("beach.MOV"), try verified("out/beach.MOV"))
        for name in ["contentIdentifier", "stillTime"] { #expect("\(before[name] ?? 0)" == "\(after[name] ?? 1)") }
        func hashes(_ movie: String) throws -> String {
            try Program.system(
                "ffmpeg",
                ["-v", "error", "-nostdin", "-i", movie, "-map", "0:v", "-map", "0:a", "-c", "copy"]
                    + ["-f", "streamhash", "-"], in: folder.url
            ).output
        }
        #expect(try hashes("beach.MOV").count > 100 && hashes("beach.MOV") == hashes("out/beach.MOV"))
    }

    @Test(arguments: [
        ("--as livp --no-audio", "--no-audio applies only to --as motion-photo"),
        ("--as pvt --keep-id", "--keep-id applies only to --as motion-photo"),
        ("--as motion-photo --video-codec av1", "--video-codec: 'av1' is unknown; write keep or h264"),
    ])
    func `options of motion photos are checked`(options: String, sentence: String) throws {
        let folder = try TemporaryFolder()
        let arguments = ["pack", "a.JPG", "a.MOV", "-o", "x"] + options.split(separator: " ").map(String.init)
        try expectFailure(arguments, in: folder, 64, sentence)
    }

    @Test func `the content identifier is in a motion photo's XMP, or stays in the MakerNote if asked`() throws {
        let folder = try TemporaryFolder()
        try SamplePair.copyConverted(to: folder.url)
        func identifiers(_ options: String...) throws -> [String] {
            let packed = try Program.livephoto(
                ["pack", "beach.JPG", "--as", "motion-photo", "-o", "a.MP.jpg", "--force"] + options, in: folder.url)
            try #require(packed.status == 0, "\(packed.errors)")
            return try Program.system(
                "exiftool",
                ["-G1", "-s", "-ContentIdentifier", "-MediaGroupUUID", "-AppleContentIdentifier", "a.MP.jpg"],
                in: folder.url
            ).output.split(separator: "\n").map { String($0.prefix { $0 != "]" }) }
        }
        #expect(try identifiers() == ["[XMP-LivePhoto"])
        #expect(try identifiers("--keep-id") == ["[Apple"])
    }

    @Test func `what holds no pair is an error, and nothing is left`() throws {
        let folder = try TemporaryFolder()
        let png = try SampleClips.make("small.png", "-f lavfi -i testsrc2=size=64x64 -frames:v 1")
        let jpeg = try SampleClips.make("small.jpg", "-f lavfi -i testsrc2=size=64x64 -frames:v 1")
        for (path, status) in [(png, 65), (jpeg, 65), ("missing.jpg", 66)] {
            let outcome = try Program.livephoto("extract", path, "-o", "out", in: folder.url)
            #expect(outcome.status == status && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
        let several = try Program.livephoto("extract", png, jpeg, "-o", "out", in: folder.url)
        let lines = several.errors.split(separator: "\n")
        #expect(several.status == 1 && lines.count == 3 && lines.last == "2 pairs: 2 failed", "\(several.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}
