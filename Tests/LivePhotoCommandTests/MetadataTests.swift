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
}
