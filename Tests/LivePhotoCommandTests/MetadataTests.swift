import Foundation
import TestSupport
import Testing

@Suite struct MetadataTests {
    private func clip() throws -> String {
        let beach = try SampleClips.beach()
        return try SampleClips.make(
            "shot.mov",
            "-i \(beach) -c copy -movflags use_metadata_tags -metadata com.apple.quicktime.creationdate=2025-10-12T23:36:14+1300"
                + " -metadata com.apple.quicktime.location.ISO6709=-37.7890+175.2995+035.332/"
                + " -metadata com.apple.quicktime.make=Acme -metadata com.apple.quicktime.model=Camera9")
    }

    private func convert(_ arguments: String...) throws -> (report: Report, photo: [String: Any], movie: [String: Any])
    {
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto(["convert", try clip(), "-o", folder.url.path, "--json"] + arguments))
        let date = try FileManager.default.attributesOfItem(atPath: report.photo)[.modificationDate] as? Date
        let tags = try Reader.tags(of: report)
        var photo = tags.photo
        photo["file date"] = date?.timeIntervalSince1970
        return (report, photo, tags.movie)
    }

    @Test func `date with zone, place, make and model go into both files, and the date to the files`() throws {
        let (_, photo, movie) = try convert()
        #expect(photo["DateTimeOriginal"] as? String == "2025:10:12 23:36:14")
        #expect(photo["OffsetTimeOriginal"] as? String == "+13:00")
        #expect(photo["file date"] as? Double == 1_760_265_374)
        #expect(movie["CreationDate"] as? String == "2025:10:12 23:36:14+13:00")
        #expect(movie["CreateDate"] as? String == "2025:10:12 10:36:14")
        for tags in [photo, movie] {
            #expect(tags["Make"] as? String == "Acme" && tags["Model"] as? String == "Camera9")
            #expect((tags["GPSLatitude"] as? Double).map { abs($0 + 37.789) < 1e-6 } == true)
            #expect((tags["GPSLongitude"] as? Double).map { abs($0 - 175.2995) < 1e-6 } == true)
            #expect(tags["Warning"] == nil)
        }
    }

    @Test func `the place stays out when asked`() throws {
        let (_, photo, movie) = try convert("--no-location")
        for tags in [photo, movie] {
            #expect(tags["GPSLatitude"] == nil && tags["GPSCoordinates"] == nil)
            #expect(tags["Make"] as? String == "Acme")
        }
    }

    @Test func `nothing of the shot is told when asked`() throws {
        let (_, photo, movie) = try convert("--no-metadata")
        for name in ["Make", "Model", "GPSLatitude", "DateTimeOriginal", "CreationDate"] {
            #expect(photo[name] == nil && movie[name] == nil)
        }
    }

    @Test func `a date that is given takes the place of the clip's`() throws {
        let (_, photo, movie) = try convert("--date", "1999-12-31T23:59:59-05:00")
        #expect(photo["DateTimeOriginal"] as? String == "1999:12:31 23:59:59")
        #expect(movie["CreationDate"] as? String == "1999:12:31 23:59:59-05:00")
        #expect(photo["file date"] as? Double == 946_702_799)
        #expect(try Program.livephoto("convert", try clip(), "--date", "yesterday").status == 64)
    }

    @Test func `a clip that says nothing gives a pair that invents nothing`() throws {
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto("convert", try SampleClips.beach(), "-o", folder.url.path, "--json"))
        let (photo, movie) = try Reader.tags(of: report)
        for name in ["Make", "Model", "GPSLatitude", "DateTimeOriginal", "CreationDate"] {
            #expect(photo[name] == nil && movie[name] == nil)
        }
    }

    /// Converts a clip without metadata.
    private func convertUndated(
        _ name: String, sidecar: String? = nil, _ arguments: String...
    ) throws -> (output: [String: Any], photo: [String: Any], movie: [String: Any]) {
        let folder = try TemporaryFolder()
        let clip = folder.url.appending(path: name)
        try FileManager.default.copyItem(atPath: SampleClips.beach(), toPath: clip.path)
        if let sidecar { try Data(sidecar.utf8).write(to: folder.url.appending(path: "\(name).json")) }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: clip.path)
        let result = try Program.livephoto(
            ["convert", clip.path, "-o", folder.url.path, "--name", "pair", "--json"] + arguments)
        let output = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let tags = try Reader.tags(of: Report(result))
        return (output, tags.photo, tags.movie)
    }

    @Test func `a clip without a date gets the one in its name, which is the same in both files`() throws {
        let (output, photo, movie) = try convertUndated("VID_20250912_134510.mp4")
        #expect(output["captureDateSource"] as? String == "fileName")
        #expect(output["captureDate"] as? String == "2025-09-12T13:45:10")
        #expect(photo["DateTimeOriginal"] as? String == "2025:09:12 13:45:10" && photo["OffsetTimeOriginal"] == nil)
        #expect((movie["CreationDate"] as? String)?.hasPrefix("2025:09:12 13:45:10") == true)
        #expect(movie["CreateDate"] as? String == "2025:09:12 13:45:10")
    }

    @Test func `a sidecar gives date and place, in the zone that the name shows`() throws {
        let sidecar = #"""
            {"title": "VID_20250912_134510.mp4", "photoTakenTime": {"timestamp": "1757677510", "formatted": "12.09.2025, 11:45:10 UTC"},
            "geoData": {"latitude": -37.789, "longitude": 175.2995, "altitude": 0.0}}
            """#
        let (output, photo, movie) = try convertUndated("VID_20250912_134510.mp4", sidecar: sidecar)
        #expect(output["captureDateSource"] as? String == "sidecar")
        #expect(photo["DateTimeOriginal"] as? String == "2025:09:12 13:45:10")
        #expect(photo["OffsetTimeOriginal"] as? String == "+02:00")
        #expect(movie["CreationDate"] as? String == "2025:09:12 13:45:10+02:00")
        #expect(movie["CreateDate"] as? String == "2025:09:12 11:45:10")
        for tags in [photo, movie] {
            #expect((tags["GPSLatitude"] as? Double).map { abs($0 + 37.789) < 1e-4 } == true)
        }
    }

    @Test func `the modification time is taken only when asked, before the name and a sidecar`() throws {
        let (output, photo, movie) = try convertUndated("VID_20250912_134510.mp4", sidecar: "[", "--date", "file")
        #expect(output["captureDateSource"] as? String == "fileTime")
        let date = try #require(output["captureDate"] as? String)
        #expect(try Date(date, strategy: .iso8601).timeIntervalSince1970 == 1_600_000_000)
        #expect(photo["OffsetTimeOriginal"] != nil && movie["CreateDate"] as? String == "2020:09:13 12:26:40")
        let warnings = try #require(output["warnings"] as? [String])
        #expect(warnings.contains { $0.hasSuffix("VID_20250912_134510.mp4.json is ignored: it is not a JSON object") })
    }

    @Test func `the date in the clip comes before that in its name, and --no-metadata leaves out all`() throws {
        let folder = try TemporaryFolder()
        let dated = folder.url.appending(path: "VID_20250912_134510.mov").path
        try FileManager.default.copyItem(atPath: clip(), toPath: dated)
        let plan = try Program.livephoto("convert", dated, "--dry-run", "-o", folder.url.path)
        #expect(plan.output.contains("date: from the clip\n") && plan.output.contains("2025-10-12T23:36:14+1300"))
        let undated = folder.url.appending(path: "VID-20250912-WA0001.mp4").path
        try FileManager.default.copyItem(atPath: SampleClips.beach(), toPath: undated)
        let named = try Program.livephoto("convert", undated, "--dry-run", "-o", folder.url.path)
        #expect(named.output.contains("date: from the file name, which has no time of day: noon\n"))
        let none = try Program.livephoto("convert", undated, "--dry-run", "--no-metadata", "-o", folder.url.path)
        #expect(none.output.contains("date: none\n"))
        let piped = try Program.livephoto("convert", "-", "--date", "file", "-o", folder.url.path)
        #expect(piped.status != 0)
    }
}
