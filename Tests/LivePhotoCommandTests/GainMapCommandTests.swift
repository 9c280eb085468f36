import Foundation
import TestSupport
import Testing

/// `--hdr both`, and what the other commands do with its photos.
@Suite struct GainMapCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private struct Page: Decodable {
        struct Photo: Decodable {
            struct GainMap: Decodable {
                let width: Int
                let height: Int
                let forms: [String]
                let headroom: Double
            }
            let contentIdentifier: String?
            let gainMap: GainMap?
        }
        let photo: Photo
    }

    /// A clip of a ramp up to 1,000 cd/m², whose size halved is odd.
    private func clip(_ transfer: String) throws -> String {
        try SampleClips.make(
            "ramp-\(transfer).mkv",
            "-f lavfi -i color=gray:size=166x90:rate=30:duration=1,format=yuv420p10le,"
                + "geq=lum='64+X*4':cb=512:cr=512"
                + " -vf setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=\(transfer):range=tv -c:v ffv1")
    }

    private func convert(_ clip: String, _ options: String...) throws -> Report {
        try Report(
            try Program.livephoto(
                ["convert", clip, "-o", folder.url.path, "--json", "--hdr", "both", "--force"] + options))
    }

    private func gainMap(_ photo: String) throws -> Page.Photo.GainMap? {
        let outcome = try Program.livephoto(["inspect", photo, "--json"], in: folder.url)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Page.self, from: Data(outcome.output.utf8)).photo.gainMap
    }

    @Test(arguments: [
        ("arib-std-b67", "jpeg", "h264", "bt709"), ("smpte2084", "jpeg", "hevc", "smpte2084"),
        ("arib-std-b67", "heic", "hevc", "arib-std-b67"), ("smpte2084", "heic", "h264", "bt709"),
    ])
    func `the photo is SDR with a gain map, and the movie is HDR in HEVC`(
        transfer: String, format: String, codec: String, expected: String
    ) throws {
        let clip = try clip(transfer)
        let options = ["--photo-format", format, "--video-codec", codec]
        let report = try convert(clip, options[0], options[1], options[2], options[3])
        #expect(report.warnings.isEmpty)
        let map = try #require(try gainMap(report.photo))
        #expect(map.width == 83 && map.height == 45)
        #expect(map.forms == ["ISO 21496-1", format == "jpeg" ? "Adobe" : "Apple"])
        // The ramp ends at 724 of 1023: PQ's 1,000 cd/m², and HLG's 206.
        #expect((transfer == "smpte2084" ? 4.8...6.2 : 1.3...2.2).contains(map.headroom), "\(map.headroom)")
        #expect(try Reader.streams(report.movie).first?["color_transfer"] as? String == expected)
        let tags = try Reader.tags(report.photo)
        #expect((tags["ContentIdentifier"] ?? tags["MediaGroupUUID"]) as? String == report.contentIdentifier)
        #expect(tags["ColorSpace"] as? Int == 1)
        let verified = try Program.livephoto("verify", report.photo, report.movie)
        #expect(verified.status == 0, "\(verified.output)")
        // The picture is that of tone mapping.
        let plain = try Report(
            try Program.livephoto(
                ["convert", clip, "-o", folder.path("plain"), "--json", "--hdr", "tone-map"] + options))
        let pictures = try [plain.photo, report.photo].map { photo in
            guard format == "heic" else { return photo }
            try Program.run(["heif-convert", photo, photo + ".png"])
            return photo + ".png"
        }
        #expect(try Reader.similarity((pictures[0], nil), (pictures[1], nil)) > 0.9999)
    }

    @Test func `an SDR clip gets no gain map, and nor does a photo of the user's own`() throws {
        let beach = try SampleClips.beach()
        let report = try convert(beach, "--name", "beach")
        #expect(try gainMap(report.photo) == nil)
        let plan = try Program.livephoto("convert", beach, "--hdr", "both", "-n", "-o", folder.path("x")).output
        #expect(!plan.contains("gain map"))
        let own = try convert(try clip("arib-std-b67"), "--photo", report.photo, "--name", "own")
        #expect(try gainMap(own.photo) == nil)
    }

    @Test(arguments: [["--fit", "1:1"], ["--rotate", "90"], ["--crop", "3,5,80,61"]])
    func `the gain map has the shape of the photo`(options: [String]) throws {
        let report = try convert(try clip("smpte2084"), options[0], options[1])
        let map = try #require(try gainMap(report.photo))
        #expect(map.width == (report.photoWidth + 1) / 2 && map.height == (report.photoHeight + 1) / 2)
    }

    @Test(arguments: [["--exposure", "1"], ["--stabilize"], ["--effect", "long-exposure"]])
    func `adjustments need SDR alone`(options: [String]) throws {
        let outcome = try Program.livephoto(
            ["convert", try clip("smpte2084"), "-o", folder.path("x"), "--hdr", "both"] + options)
        #expect(outcome.status == 64 && outcome.errors.contains("cannot keep; --hdr tone-map makes SDR of it"))
    }

    @Test(arguments: ["JPG", "HEIC"]) func `the other commands leave the gain map as it is`(ending: String) throws {
        let clip = try clip("smpte2084")
        let report = try convert(
            clip, "--photo-format", ending == "JPG" ? "jpeg" : "heic", "--name", "pair")
        let description = try #require(try gainMap(report.photo))
        let map = try bytesOfMap(report.photo)
        func expectMap(_ photo: String) throws {
            let found = try #require(try gainMap(photo))
            #expect(found.headroom == description.headroom && found.forms == description.forms, "\(photo)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: photo)).firstRange(of: map) != nil, "\(photo)")
        }
        for (name, arguments) in [
            ("linked", ["link", report.photo, report.movie, "-o"]),
            ("edited", ["edit", report.photo, "--still", "0.2", "--date", "2024-01-02T03:04:05Z", "-o"]),
            ("turned", ["edit", report.photo, "--rotate", "90", "-o"]),
        ] {
            let outcome = try Program.livephoto(arguments + [folder.path(name)])
            #expect(outcome.status == 0 && !outcome.errors.contains("gain map"), "\(outcome.errors)")
            try expectMap(folder.path("\(name)/pair.\(ending)"))
        }
        let cropped = try Program.livephoto("edit", report.photo, "--fill", "1:1", "-o", folder.path("cropped"))
        #expect(cropped.errors.contains("the HDR gain map of the photo is left out"), "\(cropped.errors)")
        let packed = folder.path("pair.MP." + ending.lowercased())
        let outcomes = try [
            ["pack", report.photo, "--as", "motion-photo", "-o", packed],
            ["extract", packed, "-o", folder.path("extracted")],
        ].map { try Program.livephoto($0) }
        #expect(outcomes.allSatisfy { $0.status == 0 }, "\(outcomes.map(\.errors))")
        try expectMap(packed)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("extracted"))
        try expectMap(folder.path("extracted/" + (try #require(names.first { !$0.hasSuffix("MOV") }))))
    }

    /// The gain map, which ends a JPEG; of a HEIC, its parameters and the coded samples before them.
    private func bytesOfMap(_ photo: String) throws -> Data {
        let data = try Data(contentsOf: URL(fileURLWithPath: photo))
        guard photo.hasSuffix("JPG") else {
            let parameters = try #require(data.range(of: Data([0, 0, 0, 0, 0, 0x40]), options: .backwards))
            return data[parameters.lowerBound - 30..<parameters.lowerBound + 62]
        }
        return data[try #require(data.range(of: Data([0xFF, 0xD8, 0xFF, 0xE0]), options: .backwards)).lowerBound...]
    }
}
