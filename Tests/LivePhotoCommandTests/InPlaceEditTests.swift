import Foundation
import TestSupport
import Testing

/// `edit --in-place` with changes that need new pictures or new sound.
@Suite struct InPlaceEditTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SamplePair.copyConverted(to: folder.url)
    }

    private func run(_ arguments: String...) throws -> Outcome { try Program.livephoto(arguments, in: folder.url) }

    /// All files except those of the journal.
    private var visible: [String: Data] {
        get throws { try folder.files.filter { !$0.key.hasPrefix(".") } }
    }

    @Test func `both files are replaced, keep the identifier and the dates, and are restored byte for byte`() throws {
        for name in ["beach.JPG", "beach.MOV"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_500_000_000), .posixPermissions: 0o640],
                ofItemAtPath: folder.path(name))
        }
        let original = try folder.files
        let identifier = try Report(
            try run("edit", "beach.JPG", "-n", "--keep-id", "--sharpen", "1", "-o", "x", "--json")
        )
        .contentIdentifier
        let report = try Report(
            try run("edit", "beach.JPG", "--exposure", "1", "--fill", "1:1", "--in-place", "--json"))
        #expect(report.photo == "beach.JPG" && report.movie == "beach.MOV")
        #expect(report.contentIdentifier == identifier && report.photoWidth == 180)
        #expect(try run("verify", "beach.JPG").status == 0)
        for name in ["beach.JPG", "beach.MOV"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: 1_500_000_000))
            #expect(attributes[.posixPermissions] as? Int == 0o640)
        }
        // Further edits of both kinds; the last one does not change the photo.
        #expect(try run("edit", "beach.JPG", "--no-audio", "--end", "2.5", "--in-place").status == 0)
        let photo = try folder.files["beach.JPG"]
        #expect(try run("edit", "beach.MOV", "--rotate", "90", "--in-place").status == 0)
        #expect(try folder.files["beach.JPG"] != photo)
        let outcome = try run("undo", "beach.JPG")
        #expect(outcome.status == 0 && outcome.output == "beach.MOV\nbeach.JPG\n", "\(outcome.errors)")
        #expect(try folder.files == original)
    }

    @Test func `pairs of one folder can be edited and undone however their paths are written`() throws {
        for ending in ["JPG", "MOV"] {
            try FileManager.default.copyItem(
                atPath: folder.path("beach.\(ending)"), toPath: folder.path("other.\(ending)"))
        }
        let original = try visible
        let edited = try run("edit", "beach.JPG", folder.path("other.JPG"), "--no-audio", "--in-place")
        #expect(edited.status == 0, "\(edited.errors)")
        #expect(try visible["other.MOV"] != original["other.MOV"])
        let undone = try run("undo", "beach.JPG", "beach.MOV", folder.path("other.MOV"))
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(try visible == original)
        // In a folder below, which is written in two ways.
        let parent = folder.url.deletingLastPathComponent()
        let below = folder.url.lastPathComponent
        let again = try Program.livephoto(
            ["edit", folder.path("beach.JPG"), "\(below)/other.JPG", "--no-audio", "--in-place"], in: parent)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try run("undo", "other.JPG").status == 0 && run("undo", "beach.MOV", "beach.JPG").status == 0)
        #expect(try visible == original)
    }

    @Test func `both files of a pair can be undone, also if the photo had another name`() throws {
        let original = try visible
        #expect(try run("edit", "beach.JPG", "--photo-format", "heic", "--exposure", "0.5", "--in-place").status == 0)
        #expect(try visible.keys.contains("beach.HEIC"))
        let undone = try run("undo", "beach.MOV", "beach.HEIC")
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(try visible == original)
        #expect(try run("edit", "beach.JPG", "--no-audio", "--in-place").status == 0)
        #expect(try run("undo", ".", "beach.JPG").status == 0)
    }

    @Test func `an edit of copies takes no other photo's movie`() throws {
        #expect(try run("edit", "beach.JPG", "--photo-format", "heic", "--exposure", "0.1", "-o", "out").status == 0)
        try FileManager.default.removeItem(atPath: folder.path("out/beach.edit.yaml"))
        let before = try folder.files
        let outcome = try run("edit", "beach.JPG", "--no-audio", "-o", "out", "--force")
        #expect(outcome.status == 73 && outcome.errors.contains("would stay without one"), "\(outcome.errors)")
        #expect(try folder.files == before)
    }

    @Test(arguments: [["--exposure", "0.3"], ["--volume", "0.5"], ["--rotate", "90"]])
    func `a pair whose names are those of other programs can be edited`(changes: [String]) throws {
        try FileManager.default.moveItem(atPath: folder.path("beach.MOV"), toPath: folder.path("beach.mp4"))
        let outcome = try Program.livephoto(["edit", "beach.JPG"] + changes + ["--in-place"], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try run("verify", "beach.JPG").status == 0)
    }

    @Test func `an edit of the sound alone leaves the photo as it is`() throws {
        let original = try folder.files
        #expect(try run("edit", "beach.JPG", "--volume", "0.5", "--in-place").status == 0)
        #expect(try folder.files["beach.JPG"] == original["beach.JPG"])
        #expect(try folder.files["beach.MOV"] != original["beach.MOV"])
        #expect(!(try folder.files.keys.contains(".livephoto-undo/1.photo")))
        #expect(try run("undo", ".").status == 0)
        #expect(try folder.files == original)
    }

    @Test func `a HEIC stays one, and undoing brings the first one back`() throws {
        let heic = folder.path("photo.heic")
        try Program.run(["heif-enc", "-q", "80", "-o", heic, folder.path("beach.JPG")])
        try Program.run([
            Program.livephoto.path, "link", heic, folder.path("beach.MOV"), "--force", "--name", "IMG_1", "-o",
            folder.path("heic"),
        ])
        let original = try folder.files
        let outcome = try run("edit", "heic/IMG_1.HEIC", "--exposure", "0.5", "--in-place")
        #expect(outcome.status == 0 && outcome.output == "heic/IMG_1.HEIC\nheic/IMG_1.MOV\n", "\(outcome.errors)")
        #expect(try run("verify", "heic/IMG_1.HEIC").status == 0)
        #expect(try run("edit", "heic/IMG_1.HEIC", "--still", "0.4", "--in-place").status == 0)
        let undone = try run("undo", "heic/IMG_1.HEIC")
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(try folder.files == original)
    }

    @Test func `several pairs are edited in one call, and an error in one does not stop the others`() throws {
        for name in ["a", "b"] {
            for ending in ["JPG", "MOV"] {
                try FileManager.default.copyItem(
                    atPath: folder.path("beach.\(ending)"), toPath: folder.path("\(name).\(ending)"))
            }
        }
        try Data(contentsOf: folder.url.appendingPathComponent("b.MOV")).prefix(30_000)
            .write(to: folder.url.appendingPathComponent("b.MOV"))
        let original = try folder.files
        let plan = try run("edit", "a.JPG", "beach.JPG", "--contrast", "20", "--in-place", "--dry-run", "--json")
        #expect(plan.status == 0 && plan.output.split(separator: "\n").count == 2, "\(plan.errors)")
        #expect(try folder.files == original)
        let outcome = try run("edit", "a.JPG", "beach.JPG", "--contrast", "20", "--in-place")
        #expect(outcome.status == 0 && outcome.output == "a.JPG\na.MOV\nbeach.JPG\nbeach.MOV\n", "\(outcome.errors)")
        #expect(try run("undo", ".").status == 0)
        #expect(try folder.files == original)
        let failed = try run("edit", "b.JPG", "--contrast", "20", "--in-place")
        #expect(failed.status != 0)
        #expect(try folder.files == original)
    }

    @Test(.seeded) func `a kill or an interrupt at any moment leaves the old pair or the new one, which is undone`()
        throws
    {
        let original = try folder.files
        let options = ["edit", "beach.JPG", "--saturation", "-50", "--in-place"]
        let clock = ContinuousClock()
        let length = try clock.measure { _ = try Program.livephoto(options, in: folder.url) }
        #expect(try visible != original)
        #expect(try run("undo", ".").status == 0)
        var generator = SeededGenerator()
        let microseconds = UInt32(length / .microseconds(1))
        for number in 0..<10 {
            let process = try Program.start(options, in: folder.url)
            usleep(UInt32.random(in: microseconds / 4..<microseconds * 11 / 10, using: &generator))
            process.send(number % 3 == 2 ? SIGTERM : SIGKILL)
            let status = try process.wait().status
            if status != -SIGKILL { #expect(try (visible == original) == (status != 0), "\(number)") }
            // The killed program may have been about to start its worker, which has the lock until it becomes another program.
            var undone = try run("undo", ".")
            for _ in 0..<100 where undone.status == 75 {
                usleep(20_000)
                undone = try run("undo", ".")
            }
            #expect(try folder.files == original, "\(number): \(undone)")
        }
    }
}
