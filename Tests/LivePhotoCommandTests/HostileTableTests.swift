import Foundation
import TestSupport
import Testing

/// Clips of some kilobytes whose tables claim millions of entries.
@Suite struct HostileTableTests {
    /// A table, and what is put into it, from behind its box's type.
    struct Claim: Sendable, CustomTestStringConvertible {
        let box: String
        let fields: [UInt32]
        let options: String
        let sentence: String
        var testDescription: String { sentence }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            Claim(
                box: "stsz", fields: [0, 1, 80_000_000], options: "-c copy",
                sentence: "samples in a track, found 80000"),
            Claim(
                box: "trun", fields: [0, 40_000_000], options: "-c copy -movflags empty_moov",
                sentence: "samples in the file, found 40000"),
            Claim(box: "elst", fields: [0, 500_000], options: "-c copy", sentence: "edits in the file, found 500000"),
            Claim(
                box: "keys", fields: [0, 200_000], options: "-c copy -movflags use_metadata_tags -metadata a=b",
                sentence: "metadata keys in the file, found 200000"),
        ])
    func `a table that claims millions of entries is refused at once`(claim: Claim) throws {
        let clip = try SampleClips.make("claims.mp4", "-i \(try SampleClips.beach()) \(claim.options)")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: clip))
        let box = try #require(bytes.firstRange(of: Data(claim.box.utf8)))
        let fields = claim.fields.flatMap { field in (0..<4).map { UInt8(truncatingIfNeeded: field >> (24 - 8 * $0)) } }
        bytes.replaceSubrange(box.upperBound..<box.upperBound + fields.count, with: fields)
        let folder = try TemporaryFolder()
        try bytes.write(to: folder.url.appendingPathComponent("claims.mp4"))
        let time = try ContinuousClock().measure {
            try expectFailure(["convert", "claims.mp4", "-o", "out"], in: folder, 65, claim.sentence)
        }
        #expect(time < .seconds(5))
    }
}
