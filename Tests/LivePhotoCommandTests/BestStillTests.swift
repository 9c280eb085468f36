import Foundation
import TestSupport
import Testing

/// `--still auto`.
@Suite struct BestStillTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A clip of three seconds that is good from 1.8 to 2.5 s.
    private static func clip(_ name: String, _ filter: String, codec: String = "libx264 -g 30") throws -> String {
        let spoilt = filter.isEmpty ? "null" : filter.replacing("OUTSIDE", with: "enable='not(between(t,1.8,2.5))'")
        return try SampleClips.moving(
            "\(name).mp4", seconds: 3, codec: codec, filters: "gblur=sigma=0.7,\(spoilt)", sound: nil)
    }

    private func plan(_ arguments: String...) throws -> [String: Any] {
        let outcome = try Program.livephoto(
            ["convert"] + arguments + ["--dry-run", "--json", "-o", folder.path("none")], in: folder.url)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    @Test(arguments: [
        ("defocus", "gblur=sigma=3:OUTSIDE"), ("darkness", "lutyuv=y=16+(val-16)*0.25:OUTSIDE"),
        ("black", "lutyuv=y=16:u=128:v=128:OUTSIDE"), ("noise", "noise=c0s=60:c0f=t:OUTSIDE"),
        ("motion", "avgblur=sizeX=7:sizeY=1:OUTSIDE"),
    ])
    func `the still is a good frame where all others are spoilt`(name: String, filter: String) throws {
        let clip = try Self.clip(name, filter)
        let plan = try plan(clip, "--still", "auto")
        let still = try #require(plan["stillTimeInClip"] as? Double)
        #expect(1.79...2.51 ~= still, "\(still)")
        let candidates = try #require(plan["stillCandidates"] as? [[String: Any]])
        #expect(candidates.count == 5 && candidates[0]["time"] as? Double == still)
        let score = try #require(candidates[0]["score"] as? [String: Double])
        #expect(Set(score.keys) == ["total", "contrast", "sharp", "blur", "exposure", "noise", "change", "position"])
        #expect(score.values.allSatisfy { 0...1 ~= $0 })
    }

    @Test(arguments: [
        (["--start", "0.5", "--end", "1.5"], 0.5...1.5), (["--end", "1"], 0.0...1.0),
        (["--after", "2"], 0.0...1.001), (["--before", "2.5"], 2.5...3.0),
        (["--start", "1", "--before", "0.5"], 1.47...1.5),
    ])
    func `the still is in the requested part`(options: [String], expected: ClosedRange<Double>) throws {
        let clip = try Self.clip("defocus", "gblur=sigma=3:OUTSIDE")
        var arguments = [clip, "--still", "auto"]
        arguments += options
        let outcome = try Program.livephoto(
            ["convert"] + arguments + ["--dry-run", "--json", "-o", folder.path("none")])
        try #require(outcome.status == 0, "\(outcome.errors)")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(expected.contains(try #require(report["stillTimeInClip"] as? Double)))
    }

    @Test(arguments: [
        ["--start", "1", "--before", "0.5"], ["--start", "1.01", "--end", "1.03"],
        ["--duration", "2", "--after", "0.5"],
        ["--before", "1.49"],
    ])
    func `the frame that is shown at the start of the requested part can be the still`(options: [String]) throws {
        let clip = try SampleClips.make(
            "ntsc.mp4", "-f lavfi -i testsrc2=size=128x72:rate=30000/1001 -t 3 -c:v libx264 -preset ultrafast")
        let outcome = try Program.livephoto(
            ["convert", clip, "--still", "auto", "--dry-run", "--json", "-o", folder.path("none")] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(arguments: [
        (["--start", "1.8", "--end", "2.6"], 1.8...2.6), (["--before", "1", "--after", "1"], 1.0...2.001),
        (["--end", "1.5"], 0.0...1.5),
    ])
    func `the best moments are in the requested part`(options: [String], expected: ClosedRange<Double>) throws {
        let clip = try Self.clip("defocus", "gblur=sigma=3:OUTSIDE")
        let outcome = try Program.livephoto(
            ["convert", clip, "--count", "2", "--dry-run", "--json", "-o", folder.path("none")] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = try outcome.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(!lines.isEmpty)
        for line in lines { #expect(expected.contains(try #require(line["stillTimeInClip"] as? Double))) }
    }

    @Test func `a plan explains the choice, and the same clip gives the same still each time`() throws {
        let clip = try Self.clip("defocus", "gblur=sigma=3:OUTSIDE")
        let arguments = ["convert", clip, "--still", "auto", "--dry-run", "-o", folder.path("none")]
        let plans = try (0..<2).map { _ in try Program.livephoto(arguments).output }
        let lines = plans[0].split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("still: ") && $0.hasSuffix(", the best frame") })
        #expect(lines.count { $0.hasPrefix("candidate: ") && $0.contains(": contrast ") } == 5)
        func withoutIdentifier(_ plan: String) -> [Substring] {
            plan.split(separator: "\n").filter { !$0.hasPrefix("identifier") }
        }
        #expect(withoutIdentifier(plans[0]) == withoutIdentifier(plans[1]))
    }

    @Test func `a long clip is measured around its best key frames`() throws {
        let plan = try plan(try SampleClips.long(), "--still", "auto")
        let still = try #require(plan["stillTimeInClip"] as? Double)
        #expect(0...30 ~= still)
    }

    @Test func `a pair is made with the best still, and the job key does the same`() throws {
        let clip = try Self.clip("defocus", "gblur=sigma=3:OUTSIDE")
        let made = try Report(
            try Program.livephoto("convert", clip, "--still", "auto", "-o", folder.path("out"), "--json"))
        #expect(1.79...2.51 ~= made.stillTimeInClip)
        try folder.write("version: 1\njobs:\n  - input: \(clip)\n    still: auto\n", to: "jobs.yaml")
        let outcome = try Program.livephoto(["batch", "jobs.yaml", "-o", "batch"], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Reader.similarity((folder.path("batch/defocus.JPG"), nil), (made.photo, nil)) > 0.99)
    }

    @Test func `an edit takes the best frame of the movie as the still, and leaves the movie as it is`() throws {
        try SamplePair.copyConverted(to: folder.url)
        let outcome = try Program.livephoto(
            ["edit", "beach.JPG", "--still", "auto", "--new-key-photo", "-o", "out", "--json"], in: folder.url)
        let report = try Report(outcome)
        #expect(report.way == "photo")
        #expect(try folder.text("out/beach.edit.yaml").contains("still: auto"))
        #expect(
            try Reader.similarity((folder.path("out/beach.JPG"), nil), (folder.path("beach.MOV"), report.stillTime))
                > 0.98)
        let other = try Program.livephoto(
            ["edit", "beach.JPG", "--still", "auto", "--dry-run", "-o", "none"], in: folder.url)
        #expect(other.status == 0 && other.output.contains("the best frame"), "\(other.errors)\(other.output)")
    }

    @Test func `texts that are no time are told about auto, which does not apply to linking`() throws {
        let clip = try SampleClips.beach()
        let wrong = try Program.livephoto("convert", clip, "--still", "best", "-o", folder.path("none"))
        #expect(wrong.status == 64 && wrong.errors.contains("or auto for the best frame"), "\(wrong.errors)")
        try SamplePair.copyConverted(to: folder.url)
        let linked = try Program.livephoto(
            ["link", "beach.JPG", "beach.MOV", "--still", "auto", "-o", "none"], in: folder.url)
        #expect(linked.status == 64 && linked.errors.contains("'auto' is not a time in a clip"), "\(linked.errors)")
    }
}
