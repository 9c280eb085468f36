import Foundation
import TestSupport
import Testing

/// `edit` with changes that need new pictures or new sound.
@Suite struct EncodedEditTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SamplePair.copyConverted(to: folder.url)
    }

    private func edit(_ options: String...) throws -> Outcome {
        try Program.livephoto(["edit", folder.path("beach.JPG"), "-o", folder.path("out")] + options)
    }

    @Test func `photo and movie are changed alike, and are a good pair with the same frame times`() throws {
        let report = try Report(try edit("--exposure", "1", "--fill", "1:1", "--json"))
        #expect(report.photoWidth == 180 && report.photoHeight == 180 && report.width == 180)
        let times = try Reader.frameTimes(report.movie)
        #expect(try times == Reader.frameTimes(folder.path("beach.MOV")))
        #expect(try Reader.similarity((report.photo, nil), (report.movie, report.stillTime)) > 0.9)
        #expect(
            try Reader.similarity((report.photo, nil), (folder.path("beach.JPG"), nil), filters: "null") < 0.95)
        let verify = try Program.livephoto("verify", report.photo, report.movie)
        #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
    }

    @Test(arguments: [["--new-key-photo"], ["--effect", "long-exposure"], ["--exposure", "0.1"]])
    func `the photo is the rectangle that was asked for`(change: [String]) throws {
        let report = try Report(
            try Program.livephoto(
                ["edit", folder.path("beach.JPG"), "-o", folder.path("out"), "--crop", "30,50,100,60", "--json"]
                    + change))
        #expect(report.photoWidth == 100 && report.photoHeight == 60)
        #expect(try Reader.similarity((report.photo, nil), (report.movie, report.stillTime)) > 0.5)
    }

    /// As phones write them, though those of the photo's Exif count.
    @Test func `the sizes of the first directory follow the picture`() throws {
        let photo = folder.path("beach.JPG")
        let written = try Program.system(
            "exiftool",
            [
                "-q", "-overwrite_original", "-IFD0:ImageWidth=320", "-IFD0:ImageHeight=180", "-IFD0:TileWidth=512",
                photo,
            ])
        try #require(written.status == 0, "\(written.errors)")
        let report = try Report(try edit("--crop", "0,0,160,90", "--json"))
        let read = try Program.system(
            "exiftool", ["-s3", "-IFD0:ImageWidth", "-IFD0:ImageHeight", "-IFD0:TileWidth", report.photo])
        #expect(read.output == "160\n90\n", "\(read.output)")
    }

    @Test func `the identifier, still time, part and date are those that were asked for`() throws {
        let identifier = UUID().uuidString
        let report = try Report(
            try edit(
                "--contrast", "20", "--id", identifier, "--start", "0.5", "--end", "2.5", "--still", "1", "--no-audio",
                "--date", "2024-05-06T07:08:09+02:00", "--name", "new", "--json"))
        #expect(report.photo == folder.path("out/new.JPG") && report.contentIdentifier == identifier)
        #expect(abs(report.duration - 2) < 0.01 && abs(report.stillTime - 0.5) < 0.04)
        #expect(!(try Reader.streams(report.movie)).contains { $0["codec_type"] as? String == "audio" })
        #expect(try Reader.tags(report.photo)["DateTimeOriginal"] as? String == "2024:05:06 07:08:09")
    }

    @Test func `a dry run says that both are encoded again, and writes nothing`() throws {
        let outcome = try edit("--sharpen", "50", "--dry-run")
        #expect(outcome.status == 0 && outcome.output.contains("edit: photo and movie are encoded again"))
        #expect(folder.contents == ["beach.JPG", "beach.MOV"])
    }

    @Test(arguments: [
        (["--in-place", "--exposure", "1", "--name", "x"], "--name applies only to copies"),
        (["-o", "out", "--exposure", "bright"], "--exposure: 'bright' is not an exposure"),
        (["-o", "out", "--exposure", "1", "--start", "2"], "give another one with --still"),
        (["-o", "out", "--crop", "0,0,900,900"], "0,0,900,900"),
        (["-o", "out"], "nothing to change"),
    ])
    func `what cannot be done is refused with a reason, and changes nothing`(options: [String], reason: String) throws {
        let before = try folder.files
        let outcome = try Program.livephoto(["edit", folder.path("beach.JPG")] + options, in: folder.url)
        #expect(outcome.status == 64 && outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(try folder.files == before)
    }

    @Test func `a HEIC stays one, with its metadata, and its picture is changed like the movie`() throws {
        let heic = folder.path("photo.heic")
        try Program.run(["heif-enc", "-q", "90", "-o", heic, folder.path("beach.JPG")])
        try Program.run([
            Program.livephoto.path, "link", heic, folder.path("beach.MOV"), "--force", "-o", folder.path("heic"),
        ])
        try Program.run([
            "exiftool", "-q", "-overwrite_original", "-Make=Maker", "-DateTimeOriginal=2024:05:06 07:08:09",
            folder.path("heic/photo.HEIC"),
        ])
        let report = try Report(
            try Program.livephoto(
                "edit", folder.path("heic/photo.HEIC"), "--exposure", "1", "--crop", "20,10,200,151", "-o",
                folder.path("brighter"), "--json"))
        #expect(report.photo == folder.path("brighter/photo.HEIC"))
        #expect(report.photoWidth == 200 && report.photoHeight == 151)
        let tags = try Reader.tags(report.photo)
        #expect(tags["Make"] as? String == "Maker" && tags["FileType"] as? String == "HEIC")
        #expect(tags["DateTimeOriginal"] as? String == "2024:05:06 07:08:09" && tags["ExifImageWidth"] as? Int == 200)
        #expect(try Program.livephoto("verify", report.photo, report.movie).status == 0)
        // libheif's own decoder.
        try Program.run(["heif-convert", report.photo, folder.path("decoded.png")])
        #expect(try Reader.similarity((folder.path("decoded.png"), nil), (report.movie, report.stillTime)) > 0.9)
        let louder = try Program.livephoto(
            "edit", folder.path("heic/photo.HEIC"), "--volume", "2", "-o", folder.path("louder.HEIC"))
        #expect(louder.status == 0 && louder.output.contains("louder.HEIC"), "\(louder.errors)")
    }

    @Test func `a place in the photo does not get into a movie without one`() throws {
        try Program.run([
            "exiftool", "-q", "-overwrite_original", "-n", "-GPSLatitude=35.5", "-GPSLatitudeRef=N",
            "-GPSLongitude=139.5", "-GPSLongitudeRef=E", folder.path("beach.JPG"),
        ])
        let report = try Report(try edit("--exposure", "1", "--json"))
        #expect(try Reader.tags(report.photo)["GPSLatitude"] != nil)
        #expect(try Reader.tags(report.movie)["GPSCoordinates"] == nil)
    }

    @Test func `undo restores both files of a pair or neither`() throws {
        let (photo, movie) = (folder.path("beach.JPG"), folder.path("beach.MOV"))
        try Program.run([
            Program.livephoto.path, "edit", photo, "--no-audio", "--id", UUID().uuidString, "--in-place",
        ])
        let edited = try folder.files.filter { !$0.key.contains("/") }
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: movie)
        let outcome = try Program.livephoto("undo", photo)
        #expect(
            outcome.status != 0 && outcome.errors.contains("is left as it is"), "\(outcome.output)\(outcome.errors)")
        #expect(try folder.files.filter { !$0.key.contains("/") } == edited)
        #expect(try Program.livephoto("verify", photo, movie).status == 0)
    }

    @Test func `a photo and a movie of two pairs are no pair to edit or export`() throws {
        for name in ["a", "b"] {
            try Program.run([
                Program.livephoto.path, "link", folder.path("beach.JPG"), folder.path("beach.MOV"), "--name", name,
                "--id", UUID().uuidString, "-o", folder.path("two"),
            ])
        }
        let before = try folder.files
        for command in [["export", "--as", "jpeg"], ["edit", "--no-audio"]] {
            try expectFailure(
                [command[0], "two/a.JPG", "two/b.MOV", "-o", "out"] + command.dropFirst(), in: folder, 64,
                "'two/a.JPG' and 'two/b.MOV' are of two pairs; give the photos of both, or the photo and the movie of one"
            )
        }
        #expect(try folder.files == before)
    }

    /// The times and bytes of the samples of live-photo-info, as ffprobe reads them.
    private func infoSamples(_ movie: String) throws -> [String] {
        let packets = try Program.run([
            "ffprobe", "-v", "error", "-select_streams", "d", "-show_packets", "-show_data_hash", "md5",
            "-show_entries",
            "packet=pts_time,size,data_hash", "-of", "csv=p=0", movie,
        ])
        return packets.split(separator: "\n").filter { $0.contains(",12,") }.map(String.init)
    }

    @Test(
        arguments: sampled(
            [
                (["--exposure", "0.5"], 0..<45), (["--exposure", "0.5", "--start", "1", "--end", "2"], 15..<30),
                (["--volume", "0.5", "--still", "0.4"], 0..<45), (["--rotate", "90"], 0..<0),
                (["--fill", "1:1"], 0..<0),
                (["--speed", "0.5"], 0..<0), (["--straighten", "2"], 0..<0), (["--effect", "bounce"], 0..<0),
            ] as [([String], Range<Int>)], every: 2))
    func `timed metadata of the frames are kept as long as they are true`(
        _ options: [String], _ kept: Range<Int>
    ) throws {
        let movie = folder.path("beach.MOV")
        let file = DevicePair.addingInfoTrack(
            to: try [UInt8](Data(contentsOf: URL(filePath: movie))), frames: 45, frameTicks: 40)
        try Data(file).write(to: URL(filePath: movie))
        let before = try infoSamples(movie)
        #expect(before.count == 45 && before.first?.hasPrefix("0.000000,") == true)
        let report = try Report(
            try Program.livephoto(["edit", folder.path("beach.JPG"), "-o", folder.path("out"), "--json"] + options))
        let after = try infoSamples(report.movie)
        let hashes = { (samples: [String]) in samples.map { $0.split(separator: ",").last } }
        #expect(hashes(after) == hashes(Array(before[kept])))
        let times = { (samples: [String]) in samples.map { $0.split(separator: ",").first } }
        #expect(times(after) == times(Array(before.prefix(kept.count))))
        #expect(try Program.livephoto("verify", report.photo, report.movie).status == 0)
    }
}
