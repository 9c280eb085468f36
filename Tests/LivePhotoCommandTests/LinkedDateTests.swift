import Foundation
import TestSupport
import Testing

/// The dates that `link` writes, as exiftool reads them.
@Suite struct LinkedDateTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Links a photo and a movie, which exiftool gives these dates.
    ///
    /// - Returns: The tags of both files, and the date in the JSON result.
    private func link(
        _ name: String = "pair", photo: [String], movie: [String], sidecar: String? = nil, _ arguments: String...
    ) throws -> (photo: [String: Any], movie: [String: Any], written: String?) {
        let (photoPath, moviePath) = (folder.path("\(name).jpg"), folder.path("\(name).mp4"))
        try FileManager.default.copyItem(atPath: SampleClips.moving("plain.mp4", seconds: 2), toPath: moviePath)
        let frame = try Program.system(
            "ffmpeg", ["-v", "error", "-nostdin", "-i", moviePath, "-frames:v", "1", "-q:v", "2", photoPath])
        try #require(frame.status == 0, "\(frame.errors)")
        for (path, tags) in [(photoPath, photo), (moviePath, movie)] where !tags.isEmpty {
            let tagged = try Program.system("exiftool", ["-q", "-overwrite_original"] + tags + [path])
            try #require(tagged.status == 0, "\(tagged.errors)")
        }
        if let sidecar { try Data(sidecar.utf8).write(to: URL(fileURLWithPath: folder.path("\(name).jpg.json"))) }
        let linked = try Program.livephoto(
            ["link", photoPath, moviePath, "--still", "0.5", "--output", folder.path("out"), "--json"] + arguments)
        try #require(linked.status == 0, "\(linked.errors)")
        let document = try JSONSerialization.jsonObject(with: Data(linked.output.utf8)) as? [String: Any]
        let files = [try #require(document?["photo"] as? String), try #require(document?["movie"] as? String)]
        return (try Reader.tags(files[0]), try Reader.tags(files[1]), document?["writtenDate"] as? String)
    }

    private func expectBoth(_ tags: (photo: [String: Any], movie: [String: Any], written: String?)) {
        #expect(tags.photo["DateTimeOriginal"] as? String == "2025:09:12 13:45:10")
        #expect((tags.movie["CreationDate"] as? String)?.hasPrefix("2025:09:12 13:45:10") == true)
    }

    @Test func `a movie without a date gets that of the photo`() throws {
        let tags = try link(
            photo: ["-DateTimeOriginal=2025:09:12 13:45:10", "-OffsetTimeOriginal=+02:00"], movie: [])
        expectBoth(tags)
        #expect(tags.written == "2025-09-12T13:45:10+0200")
        #expect(tags.movie["CreateDate"] as? String == "2025:09:12 11:45:10")
    }

    @Test func `a photo without a date gets that of the movie`() throws {
        let tags = try link(photo: [], movie: ["-CreateDate=2025:09:12 11:45:10"])
        #expect(tags.photo["DateTimeOriginal"] as? String == "2025:09:12 11:45:10")
        #expect(tags.photo["OffsetTimeOriginal"] as? String == "+00:00" && tags.movie["CreationDate"] == nil)
    }

    @Test func `two files without a date get the one in their name, or in a sidecar`() throws {
        let named = try link("VID_20250912_134510", photo: [], movie: [])
        expectBoth(named)
        #expect(named.written == "2025-09-12T13:45:10")
        let sidecar = #"{"photoTakenTime": {"timestamp": "1757684710"}}"#
        let taken = try link("IMG_1", photo: [], movie: [], sidecar: sidecar)
        expectBoth(taken)
        #expect(taken.written == "2025-09-12T13:45:10+0000")
    }

    @Test func `two files without a place get that of a sidecar, and a dry run says what would be written`() throws {
        let sidecar =
            #"{"photoTakenTime": {"timestamp": "1757684710"}, "geoData": {"latitude": 48.5, "longitude": -2.25}}"#
        let tags = try link("IMG_1", photo: [], movie: [], sidecar: sidecar)
        for file in [tags.photo, tags.movie] {
            #expect(file["GPSLatitude"] as? Double == 48.5 && file["GPSLongitude"] as? Double == -2.25)
        }
        let dry = try Program.livephoto(
            ["link", folder.path("IMG_1.jpg"), folder.path("IMG_1.mp4"), "--still", "0", "-o", folder.path("x"), "-n"])
        #expect(
            dry.errors.hasSuffix(
                "as given by --still; date 2025-09-12T13:45:10+0000 from the sidecar of Google Takeout; "
                    + "place +48.5000-002.2500/ from the sidecar\n"), "\(dry.errors)")
        // A photo with a place keeps it.
        let placed = try link(
            "IMG_2", photo: ["-GPSLatitude=10", "-GPSLatitudeRef=N", "-GPSLongitude=20", "-GPSLongitudeRef=E"],
            movie: [], sidecar: sidecar)
        #expect(placed.photo["GPSLatitude"] as? Double == 10 && placed.movie["GPSLatitude"] == nil)
    }

    @Test func `dates that are there are not changed unless told`() throws {
        let photo = ["-DateTimeOriginal=2020:01:02 03:04:05"]
        let movie = ["-CreateDate=2021:01:02 03:04:05"]
        let kept = try link("VID_20250912_134510", photo: photo, movie: movie)
        #expect(kept.photo["DateTimeOriginal"] as? String == "2020:01:02 03:04:05")
        #expect(kept.movie["CreateDate"] as? String == "2021:01:02 03:04:05" && kept.written == nil)
        let told = try link("told", photo: photo, movie: movie, "--date", "2025-09-12T13:45:10")
        expectBoth(told)
        let job = "{photo: told.jpg, movie: told.mp4, still: 0.5, date: '2025-09-12T13:45:10'}"
        try Data("version: 1\njobs:\n- \(job)\n".utf8).write(to: URL(fileURLWithPath: folder.path("jobs.yaml")))
        let batch = try Program.livephoto(
            ["batch", folder.path("jobs.yaml"), "-o", folder.path("batch")])
        #expect(batch.status == 0, "\(batch.errors)")
        let journal = try folder.text("batch/.livephoto-batch/journal.jsonl")
        #expect(journal.contains(#""captureDate":"2025-09-12T13:45:10","captureDateSource":"request""#))
        expectBoth(
            (try Reader.tags(folder.path("batch/told.JPG")), try Reader.tags(folder.path("batch/told.MOV")), nil))
        // The movie's header has no dates before 1904.
        let early = try link("early", photo: photo, movie: movie, "--date", "1903-01-02T03:04:05")
        #expect(early.movie["CreateDate"] as? String == "0000:00:00 00:00:00" && early.written == "1903-01-02T03:04:05")
        let undated = try link("undated", photo: [], movie: [])
        #expect(undated.written == nil && undated.photo["DateTimeOriginal"] == nil)
    }
}
