import Foundation
import Synchronization
import TestSupport
import Testing

/// `convert --photo`: a key photo that is not the clip's frame.
@Suite struct OwnPhotoTests {
    /// Photos that were made before, by what makes them.
    private static let made = Mutex<[String: Data]>([:])

    /// A photo of 120 by 80 pixels with a date, a place and a camera.
    private func photo(_ name: String, in folder: TemporaryFolder, orientation: Int = 6) throws -> String {
        let path = URL(fileURLWithPath: folder.path(name))
        let recipe = "\(path.pathExtension) \(orientation)"
        if let photo = Self.made.withLock({ $0[recipe] }) {
            try photo.write(to: path)
        } else {
            try make(path.path, orientation: orientation)
            let photo = try Data(contentsOf: path)
            Self.made.withLock { $0[recipe] = photo }
        }
        return path.path
    }

    private func make(_ path: String, orientation: Int) throws {
        let folder = try TemporaryFolder()
        let png = folder.path("source.png")
        try run("ffmpeg", "-v error -nostdin -y -f lavfi -i testsrc2=size=120x80 -frames:v 1 \(png)")
        switch path.suffix(5) {
        case ".heic", ".avif":
            try run("heif-enc", (path.hasSuffix("avif") ? "-A " : "") + "-q 80 -o \(path) \(png)")
        default: try run("ffmpeg", "-v error -nostdin -y -i \(png) -frames:v 1 \(path)")
        }
        // heif-enc's files have no Exif item, which exiftool does not add.
        guard !["heic", "avif"].contains(String(path.suffix(4))) else { return }
        try run(
            "exiftool",
            "-q -overwrite_original -n -Orientation=\(orientation) -Make=Canon -Model=EOS -Artist=Me"
                + " -DateTimeOriginal=2024:02:03~04:05:06 -GPSLatitude=35.5 -GPSLatitudeRef=N -GPSLongitude=139.5"
                + " -GPSLongitudeRef=E \(path)")
    }

    /// - Parameter arguments: with spaces between them, and a tilde for a space in them.
    private func run(_ program: String, _ arguments: String) throws {
        try Program.run([program] + arguments.split(separator: " ").map { String($0.replacing("~", with: " ")) })
    }

    private func convert(_ photo: String, in folder: TemporaryFolder, _ options: String...) throws -> Report {
        try Report(
            try Program.livephoto(
                ["convert", try SampleClips.beach(), "--photo", photo, "-o", folder.path("out"), "--json"] + options))
    }

    private func expectPaired(_ report: Report) throws {
        let (photo, movie) = try Reader.tags(of: report)
        let identifiers = [photo, movie].map { $0["ContentIdentifier"] ?? $0["MediaGroupUUID"] }
        #expect(identifiers.allSatisfy { $0 as? String == report.contentIdentifier })
    }

    @Test func `a JPEG keeps its picture bit for bit and all that it says`() throws {
        let folder = try TemporaryFolder()
        let photo = try photo("mine.jpg", in: folder)
        let report = try convert(photo, in: folder)
        #expect(report.photo.hasSuffix(".JPG") && report.photoWidth == 80 && report.photoHeight == 120)
        try expectPaired(report)
        func scan(_ path: String) throws -> Data {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return data[try #require(data.firstRange(of: Data([0xFF, 0xDA]))).lowerBound...]
        }
        #expect(try scan(report.photo) == scan(photo))
        let tags = try Reader.tags(report.photo)
        for (name, value) in try Reader.tags(photo)
        where !name.hasPrefix("File")
            && !["SourceFile", "Directory", "ExifToolVersion", "ExifByteOrder"].contains(name)
        {
            #expect("\(tags[name] ?? "nothing")" == "\(value)", "\(name)")
        }
    }

    @Test func `a motion photo loses its movie, which galleries would play instead of the paired video`() throws {
        let folder = try TemporaryFolder()
        let pair = try Report(
            try Program.livephoto(["convert", try SampleClips.beach(), "-o", folder.path("first"), "--json"]))
        let motion = folder.path("own.MP.jpg")
        let packed = try Program.livephoto(["pack", pair.photo, pair.movie, "--as", "motion-photo", "-o", motion])
        try #require(packed.status == 0, "\(packed.errors)")
        #expect(try Reader.tags(motion)["MotionPhoto"] as? Int == 1)
        let report = try convert(motion, in: folder)
        #expect(report.warnings.contains { $0.contains("the movie in the motion photo is left out") })
        try expectPaired(report)
        let key = try Data(contentsOf: URL(fileURLWithPath: report.photo))
        #expect(key.firstRange(of: Data("ftyp".utf8)) == nil)
        #expect(try Reader.tags(report.photo)["MotionPhoto"] == nil)
    }

    @Test func `another format becomes an upright HEIC where that is wanted`() throws {
        let folder = try TemporaryFolder()
        let report = try convert(try photo("mine.tiff", in: folder), in: folder, "--photo-format", "heic")
        #expect(report.photo.hasSuffix(".HEIC") && report.photoWidth == 80 && report.photoHeight == 120)
        try expectPaired(report)
        let tags = try Reader.tags(report.photo)
        #expect(tags["ImageWidth"] as? Int == 80 && tags["ImageHeight"] as? Int == 120)
        #expect(tags["Orientation"] as? Int == 1 && tags["Artist"] as? String == "Me" && tags["Warning"] == nil)
    }

    @Test func `a HEIC keeps its picture and stays a HEIC`() throws {
        let folder = try TemporaryFolder()
        let photo = try photo("mine.heic", in: folder)
        let report = try convert(photo, in: folder)
        #expect(report.photo.hasSuffix(".HEIC") && report.photoWidth == 120 && report.photoHeight == 80)
        try expectPaired(report)
        let pictures = try [photo, report.photo].enumerated().map { number, path in
            try run("heif-convert", "\(path) \(folder.path("\(number).png"))")
            try run(
                "ffmpeg", "-v error -nostdin -i \(folder.path("\(number).png")) -f rawvideo \(folder.path("\(number)"))"
            )
            return try Data(contentsOf: URL(fileURLWithPath: folder.path("\(number)")))
        }
        #expect(pictures[0] == pictures[1])
    }

    @Test(arguments: ["mine.png", "mine.tiff", "mine.webp"])
    func `another format becomes a JPEG with the same orientation and metadata`(name: String) throws {
        let folder = try TemporaryFolder()
        let photo = try photo(name, in: folder)
        let report = try convert(photo, in: folder)
        #expect(report.photo.hasSuffix(".JPG") && report.photoWidth == 80 && report.photoHeight == 120)
        try expectPaired(report)
        let tags = try Reader.tags(report.photo)
        #expect(tags["ImageWidth"] as? Int == 120 && tags["Orientation"] as? Int == 6)
        #expect(tags["Model"] as? String == "EOS" && tags["DateTimeOriginal"] as? String == "2024:02:03 04:05:06")
        #expect((tags["GPSLatitude"] as? Double).map { abs($0 - 35.5) < 0.001 } == true)
        let upright = try self.photo("upright-" + name, in: folder, orientation: 1)
        let source = try self.photo("upright.png", in: folder, orientation: 1)
        #expect(try Reader.similarity((source, nil), (try convert(upright, in: folder, "-f").photo, nil)) > 0.95)
    }

    @Test func `an AVIF becomes a JPEG`() throws {
        let folder = try TemporaryFolder()
        let report = try convert(try photo("mine.avif", in: folder), in: folder)
        #expect(report.photo.hasSuffix(".JPG") && report.photoWidth == 120 && report.photoHeight == 80)
        try expectPaired(report)
    }

    @Test func `the photo's place and all that it says go when asked to`() throws {
        let folder = try TemporaryFolder()
        let photo = try photo("mine.jpg", in: folder)
        try run("exiftool", "-q -overwrite_original -Comment=Nara~station \(photo)")
        let noPlace = try Reader.tags(try convert(photo, in: folder, "--no-location", "--name", "1").photo)
        #expect(noPlace["GPSLatitude"] == nil && noPlace["Model"] as? String == "EOS")
        #expect(noPlace["Comment"] as? String == "Nara station")
        let nothing = try Reader.tags(try convert(photo, in: folder, "--no-metadata", "--name", "2").photo)
        #expect(nothing["GPSLatitude"] == nil && nothing["Model"] == nil && nothing["DateTimeOriginal"] == nil)
        #expect(nothing["Comment"] == nil)
        #expect(nothing["Orientation"] as? Int == 6)
        let date = try Reader.tags(
            try convert(photo, in: folder, "--date", "2020-01-02T03:04:05+01:00", "--name", "3").photo)
        #expect(date["DateTimeOriginal"] as? String == "2020:01:02 03:04:05" && date["Model"] as? String == "EOS")
    }

    @Test(arguments: ["mine.jpg", "mine.heic"])
    func `--no-location removes the location from XMP and IPTC too, and nothing else`(name: String) throws {
        let folder = try TemporaryFolder()
        let photo = try photo(name, in: folder)
        let isJPEG = name.hasSuffix("jpg")
        let iptc = isJPEG ? "-IPTC:City=Nara -IPTC:Keywords=sea" : ""
        try run("exiftool", "-q -overwrite_original -XMP-dc:Title=Beach -XMP-photoshop:City=Nara \(iptc) \(photo)")
        let tags = try Reader.tags(try convert(photo, in: folder, "--no-location").photo)
        #expect(tags["Title"] as? String == "Beach" && tags["City"] == nil && tags["GPSLatitude"] == nil)
        #expect(!isJPEG || tags["Keywords"] as? String == "sea")
    }

    @Test func `a photo of another shape gets a warning with its cure`() throws {
        let folder = try TemporaryFolder()
        let photo = try photo("mine.jpg", in: folder, orientation: 1)
        let warnings = try convert(photo, in: folder).warnings
        #expect(warnings.contains { $0.contains("120x80") && $0.contains("--fill 3:2") }, "\(warnings)")
        let cured = try convert(photo, in: folder, "--fill", "3:2", "--name", "cured")
        #expect(cured.warnings.isEmpty && cured.width * 2 == cured.height * 3)
    }

    /// A photo of 120 by 80 pixels, red, whose left half has this alpha.
    private func halfRed(_ name: String, alpha: Int, in folder: TemporaryFolder) throws -> String {
        let (path, png) = (folder.path(name), folder.path("alpha.png"))
        try run(
            "ffmpeg",
            "-v error -nostdin -y -f lavfi -i color=red:size=120x80,format=rgba,geq=r=255:g=0:b=0:a=if(gte(X\\,60)\\,255\\,\(alpha))"
                + " -frames:v 1 \(png)")
        switch path.suffix(5) {
        case ".heic": try run("heif-enc", "-q 90 -o \(path) \(png)")
        case ".avif": try run("avifenc", "-s 10 \(png) \(path)")
        case ".webp": try run("ffmpeg", "-v error -nostdin -y -i \(png) -c:v libwebp \(path)")
        default: try run("ffmpeg", "-v error -nostdin -y -i \(png) -pix_fmt rgba -frames:v 1 \(path)")
        }
        return path
    }

    @Test(arguments: ["half.png", "half.webp", "half.tiff", "half.avif"])
    func `transparent parts of a photo are filled as those of a clip, with a warning`(name: String) throws {
        let folder = try TemporaryFolder()
        let photo = try halfRed("transparent-" + name, alpha: 0, in: folder)
        for (number, (color, written, left)) in [
            ("white", "white", [255, 255, 255]), ("1e90ff", "#1E90FF", [30, 144, 255]),
        ].enumerated() {
            let report = try convert(photo, in: folder, "--background", color, "--name", "\(number)")
            #expect(
                report.warnings.contains(
                    "the photo has transparent areas, which are filled with \(written); --background chooses "
                        + "another colour"), "\(report.warnings)")
            let raw = folder.path("\(number).rgb")
            try run("ffmpeg", "-v error -nostdin -i \(report.photo) -f rawvideo -pix_fmt rgb24 \(raw)")
            let pixels = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
            for (x, expected) in [(20, left), (100, [255, 0, 0])] {
                let found = pixels[(40 * 120 + x) * 3..<(40 * 120 + x) * 3 + 3].map(Int.init)
                #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 4 }, "\(found), not \(expected)")
            }
        }
        let opaque = try convert(try halfRed(name, alpha: 255, in: folder), in: folder, "--name", "opaque")
        #expect(!opaque.warnings.contains { $0.contains("transparent") }, "\(opaque.warnings)")
    }

    @Test func `a transparent HEIC is kept bit for bit, so nothing is filled`() throws {
        let folder = try TemporaryFolder()
        let photo = try halfRed("half.heic", alpha: 0, in: folder)
        let report = try convert(photo, in: folder, "--background", "white")
        #expect(!report.warnings.contains { $0.contains("transparent") }, "\(report.warnings)")
        let pictures = try [photo, report.photo].enumerated().map { number, path in
            try run("heif-convert", "\(path) \(folder.path("\(number).png"))")
            try run(
                "ffmpeg",
                "-v error -i \(folder.path("\(number).png")) -f rawvideo -pix_fmt rgba \(folder.path("\(number)"))")
            return try Data(contentsOf: URL(fileURLWithPath: folder.path("\(number)")))
        }
        #expect(pictures[0] == pictures[1] && pictures[0].contains(0) && pictures[0].count == 120 * 80 * 4)
    }

    @Test func `what cannot be the key photo is an error, and leaves nothing`() throws {
        let folder = try TemporaryFolder()
        try "no photo".write(toFile: folder.path("text.jpg"), atomically: true, encoding: .utf8)
        let own = try photo("beach.JPG", in: folder)
        let clip = try SampleClips.beach()
        for (photo, output, status) in [
            (folder.path("missing.jpg"), "out", 66), (folder.path("text.jpg"), "out", 65), (clip, "out", 65),
            (folder.url.path, "out", 65), (own, ".", 73),
        ] {
            let outcome = try Program.livephoto(
                "convert", clip, "--photo", photo, "-o", folder.path(output), "--name", "beach", "--force")
            #expect(outcome.status == status, "\(photo): \(outcome.status) \(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
        }
    }
}
