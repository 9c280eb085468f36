import Foundation
import TestSupport
import Testing

/// `edit` of bundles, archives and motion photos.
@Suite struct EditSourceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SamplePair.copyConverted(to: folder.url, withMotionPhoto: true)
        for kind in ["pvt", "livp"] {
            try Program.run(
                [Program.livephoto.path, "pack", "beach.JPG", "--as", kind, "-o", "b.\(kind)"], in: folder.url)
        }
    }

    private func run(_ arguments: String...) throws -> Outcome { try Program.livephoto(arguments, in: folder.url) }

    @Test(arguments: [["--no-audio", "--still", "0.4"], ["--exposure", "1"]])
    func `copies are made of bundles, archives and motion photos like of pairs, and nothing else is left`(
        options: [String]
    ) throws {
        let before = try folder.files
        let sources = ["b.pvt", "PXL_1.MP.jpg"]
        let outcome = try Program.livephoto(["edit"] + sources + options + ["-o", "out"], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!(outcome.output + outcome.errors).contains(".livephoto-"), "\(outcome.errors)")
        let names = ["beach", "PXL_1"].flatMap { ["\($0).JPG", "\($0).MOV", "\($0).edit.yaml"] }
        let made = folder.contents.filter { $0.hasPrefix("out/") }.map { String($0.dropFirst(4)) }
        #expect(made == names.sorted())
        #expect(try folder.text("out/PXL_1.edit.yaml").hasPrefix("# The edit of PXL_1.MP.jpg."))
        #expect(try run("verify", "out").output.hasPrefix("2 pairs: 2 good"))
        for (name, bytes) in before { #expect(try folder.files[name] == bytes) }
        #expect(try folder.names.filter { $0.hasPrefix(".") }.isEmpty)
    }

    @Test func `a plan and an error name the container, and leave nothing`() throws {
        let before = try folder.snapshot
        for options in [["--exposure", "1"], ["--no-audio"]] {
            let plan = try Program.livephoto(["edit", "b.livp", "--dry-run", "-o", "out"] + options, in: folder.url)
            #expect(plan.status == 0 && !(plan.output + plan.errors).contains(".livephoto-"), "\(plan)")
            let failed = try Program.livephoto(
                ["edit", "b.livp", "--still", "9", "-o", "out"] + options, in: folder.url)
            #expect(failed.status == 64 && failed.errors.hasPrefix("error: b.livp: "), "\(failed.errors)")
            #expect(try folder.snapshot == before)
        }
    }

    @Test(arguments: [
        (["b.livp", "--no-audio", "--in-place"], 64, "--in-place: 'b.livp' contains a photo and its movie"),
        (["PXL_1.MP.jpg", "--exposure", "1", "--in-place"], 64, "contains a photo and its movie"),
        ([".", "--no-audio", "-o", "out"], 64, "'.' is a folder; give the photos of pairs, such as ./*.JPG"),
        (["PXL_1.MP.jpg", "--no-audio", "--name", "PXL_1.MP", "-o", ".", "--force"], 73, "differs only in case from"),
        (
            ["PXL_1.MP.jpg", "--volume", "2", "--name", "PXL_1.MP", "-o", ".", "--force"], 73,
            "differs only in case from"
        ),
        (
            ["b.livp", "beach.MOV", "--no-audio", "--id", "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC", "-o", "out"], 64,
            "--id"
        ),
    ])
    func `what cannot be done is refused with a reason, and changes nothing`(
        arguments: [String], status: Int32, reason: String
    ) throws {
        let before = try folder.snapshot
        let outcome = try Program.livephoto(["edit"] + arguments, in: folder.url)
        #expect(outcome.status == status && outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(try folder.snapshot == before)
    }
}
