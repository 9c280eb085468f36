import Foundation
import TestSupport
import Testing

/// XMP, IPTC and comments of photos that an edit encodes again, as exiftool reads them.
@Suite struct CarriedMetadataEditTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A pair whose photo shows a red square around a face, and has a face at its right edge.
    private func pair(_ format: String) throws -> String {
        let clip = try SampleClips.make(
            "face.mkv",
            "-f lavfi -i color=gray:size=160x120:rate=15:duration=0.6,drawbox=x=20:y=16:w=24:h=24:color=red:t=fill"
                + " -c:v ffv1")
        let report = try Report(
            try Program.livephoto(
                "convert", clip, "-o", folder.url.path, "--json", "--photo-format", format, "--no-metadata"))
        let regions = """
            {AppliedToDimensions={W=160,H=120,Unit=pixel},RegionList=[\
            {Area={X=0.2,Y=0.233333,W=0.15,H=0.2,Unit=normalized},Name=Ada,Type=Face},\
            {Area={X=0.95,Y=0.5,W=0.05,H=0.05,Unit=normalized},Name=Bob,Type=Face}]}
            """
        try Program.run(
            [
                "exiftool", "-q", "-overwrite_original", "-n", "-XMP-dc:Title=Shore", "-XMP-xmp:Rating=4",
                "-XMP-tiff:ImageWidth=160", "-XMP-tiff:Orientation=1", "-RegionInfo=\(regions)",
                "-EXIF:SubjectArea=32 28 24 24",
            ] + (format == "jpeg" ? ["-IPTC:Keywords=sea", "-Comment=hello"] : []) + [report.photo])
        return report.photo
    }

    private struct Edit: CustomTestStringConvertible {
        let options: String
        /// The people whose regions stay.
        let people: [String]
        /// Whether it is tested with a HEIC too: one of each way in which places change.
        var isOfHEIC = false
        var testDescription: String { options }
    }

    private static let edits = [
        Edit(options: "--rotate 90", people: ["Ada", "Bob"], isOfHEIC: true),
        Edit(options: "--flip horizontal", people: ["Ada", "Bob"]),
        Edit(options: "--fill 1:1", people: ["Ada"], isOfHEIC: true),
        Edit(options: "--crop 10,8,80,60", people: ["Ada"]),
        Edit(options: "--fit 1:1", people: ["Ada", "Bob"]), Edit(options: "--straighten -4", people: ["Ada", "Bob"]),
        Edit(options: "--exposure 0.2", people: ["Ada", "Bob"], isOfHEIC: true),
        Edit(options: "--new-key-photo --still 0.2", people: [], isOfHEIC: true),
        Edit(options: "--effect long-exposure", people: []),
    ]

    @Test(arguments: sampled(edits.map { ($0, "jpeg") } + edits.filter(\.isOfHEIC).map { ($0, "heic") }, every: 2))
    private func `an encoded edit keeps metadata, and moves what is stated of places`(
        edit: Edit, format: String
    ) throws {
        let photo = try pair(format)
        let out = folder.path("out")
        let report = try Report(
            try Program.livephoto(
                ["edit", photo, "-o", out, "--json"] + edit.options.split(separator: " ").map(String.init)))
        let tags = try Reader.tags(report.photo)
        #expect(tags["Title"] as? String == "Shore" && tags["Rating"] as? Int == 4)
        #expect(tags["Orientation"] as? Int ?? 1 == 1)
        if format == "jpeg" { #expect(tags["Keywords"] as? String == "sea" && tags["Comment"] as? String == "hello") }
        let names = tags["RegionName"] as? [String] ?? (tags["RegionName"] as? String).map { [$0] } ?? []
        #expect(names == edit.people)
        let isNamed = report.warnings.contains { $0.contains("\(2 - names.count) region") }
        #expect(isNamed == (names.count < 2), "\(report.warnings)")
        guard !names.isEmpty else { return }
        let (width, height) = (report.photoWidth, report.photoHeight)
        #expect(tags["RegionAppliedToDimensionsW"] as? Int == width)
        // The square is where the first region is.
        func number(_ tag: String) -> Double {
            (tags[tag] as? [Double])?.first ?? tags[tag] as? Double ?? -1
        }
        let (x, y) = (number("RegionAreaX") * Double(width), number("RegionAreaY") * Double(height))
        let half = number("RegionAreaW") * Double(width) / 2
        var picture = report.photo
        if format == "heic" {
            picture += ".png"
            try Program.run(["heif-convert", report.photo, picture])
        }
        func isRed(_ x: Double, _ y: Double) throws -> Bool {
            let pixel = try Reader.pixel(picture, Int(x), Int(y))
            return pixel[0] > 150 && pixel[1] < 100
        }
        #expect(try isRed(x, y) && isRed(x - half * 0.6, y) && isRed(x + half * 0.6, y))
        #expect(try !isRed(x + half * 1.4, y) && !isRed(x, y + half * 1.4))
        let subject = (tags["SubjectArea"] as? String)?.split(separator: " ").compactMap { Double($0) } ?? []
        #expect(subject.count == 4 && abs((subject.first ?? 0) - x) <= 1)
    }
}
