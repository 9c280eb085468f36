import Foundation
import TestSupport
import Testing

/// `link --by-name` and `undo`.
@Suite struct FolderLinkTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) throws -> Outcome { try Program.livephoto(arguments, in: folder.url) }

    private func fill() throws {
        try FolderSamples.write("tree/a/1", to: folder)
        try FolderSamples.write("tree/2", photo: "black", to: folder)
    }

    @Test func `a tree is linked in place, and is as it was when that is undone`() throws {
        try fill()
        let before = try folder.snapshot
        let dry = try run("link", "--by-name", "tree", "--in-place", "--dry-run")
        #expect(dry.status == 0 && dry.output.contains("tree/a/1.jpg + tree/a/1.mov: would be linked at 0.6 s"))
        #expect(try folder.snapshot == before)
        let linked = try run("link", "--by-name", "tree", "--in-place")
        #expect(linked.status == 0 && linked.output == "tree/a/1.jpg\ntree/a/1.mov\n", "\(linked.errors)")
        #expect(linked.errors.hasSuffix("\n1 pair linked, 1 with different pictures\n"))
        let rest = try run("link", "--by-name", "tree", "--in-place", "--still", "50%")
        #expect(rest.status == 0 && rest.errors == "1 pair linked, 1 linked already\n", "\(rest.errors)")
        #expect(try run("verify", "tree").status == 0)
        let undone = try run("undo", "tree")
        #expect(undone.status == 0 && undone.errors == "4 files restored\n")
        #expect(try folder.snapshot == before)
        #expect(try run("undo", "tree").status == 66)
    }

    @Test func `copies of one pair in several albums get one identifier, and one place in a tree by date`() throws {
        for name in ["albums/a/1", "albums/b/1", "albums/b/1(1)"] { try FolderSamples.write(name, to: folder) }
        try FileManager.default.moveItem(
            atPath: folder.path("albums/b/1(1).mov"), toPath: folder.path("albums/b/1.JPG(1).MP4"))
        let before = try folder.snapshot
        let dry = try run("link", "--by-name", "albums", "-o", "out", "--tree", "%Y/%m", "--dry-run")
        #expect(
            dry.output.contains("albums/b/1(1).jpg + albums/b/1.JPG(1).MP4: equal to albums/a/1.jpg, not copied\n"))
        let tree = try run("link", "--by-name", "albums", "-o", "out", "--tree", "%Y/%m")
        #expect(tree.output == "out/undated/1.JPG\nout/undated/1.MOV\n")
        #expect(tree.status == 0 && tree.errors == "1 pair linked, 2 equal to others and not copied\n")
        let again = try run("link", "--by-name", "albums", "-o", "out", "--tree", "%Y/%m")
        #expect(again.output.isEmpty && again.errors == "0 pairs linked, 3 linked already\n")
        #expect(try run("verify", "out").status == 0)
        let linked = try run("link", "--by-name", "albums", "--in-place", "--json")
        let identifiers = linked.output.split(separator: "\n").compactMap { line in
            line.firstRange(of: "\"contentIdentifier\":\"").map { line[$0.upperBound...].prefix(36) }
        }
        #expect(identifiers.count == 3 && Set(identifiers).count == 1, "\(linked.output)")
        #expect(try run("undo", "albums").status == 0)
        #expect(try folder.snapshot.filter { !$0.key.hasPrefix("out") } == before)
    }

    @Test func `what a killed run has left beside copies goes, also if the copies are complete`() throws {
        try FolderSamples.write("tree/1", to: folder)
        #expect(try run("link", "--by-name", "tree", "-o", "out", "--tree", "%Y").status == 0)
        try FileManager.default.createDirectory(
            atPath: folder.path("out/undated/.livephoto-0123456789abcdef/new"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        _ = try run("link", "--by-name", "tree", "-o", "out", "--tree", "%Y", "--dry-run")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out/undated")).count == 3)
        let again = try run("link", "--by-name", "tree", "-o", "out", "--tree", "%Y")
        #expect(again.errors == "0 pairs linked, 1 linked already\n")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/undated")).sorted()
        #expect(left == ["1.JPG", "1.MOV"])
    }

    @Test func `a long movie of another day is not searched for the photo unless that is asked for`() throws {
        let clip = try SampleClips.make(
            "long.mp4",
            "-f lavfi -i testsrc2=size=64x64:rate=5 -t 7 -c:v libx264 -preset ultrafast -pix_fmt yuv420p "
                + "-metadata creation_time=2025-09-12T11:45:10Z")
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "tree"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: clip, toPath: folder.path("tree/1.mp4"))
        let photo = folder.path("tree/1.jpg")
        _ = try Program.system("ffmpeg", ["-v", "error", "-i", clip, "-ss", "2", "-frames:v", "1", photo])
        _ = try Program.system(
            "exiftool", ["-q", "-overwrite_original", "-DateTimeOriginal=2025:09:14 13:45:10", photo])
        let outcome = try run("link", "--by-name", "tree", "-o", "out")
        #expect(
            outcome.errors.contains(
                "1.mp4: not linked: the movie lasts 7 s and was taken at 2025-09-12T11:45:10+0000, the photo at "
                    + "2025-09-14T13:45:10"), "\(outcome.errors)")
        #expect(try run("link", "--by-name", "tree", "-o", "out", "--still", "50%").output == "out/1.JPG\nout/1.MOV\n")
        let found = try run("link", "--by-name", "tree", "-o", "out", "--find-still", "--force", "--json")
        #expect(
            found.output.contains(#""moment":"photo""#) && found.output.contains(#""stillTime":2"#), "\(found.output)")
    }

    @Test(arguments: ["avi", "mkv", "webm", "3gp"])
    func `a movie in another format is named, and converted if that is asked for`(kind: String) throws {
        try FolderSamples.write("tree/1", to: folder)
        let codec = kind == "webm" ? "libvpx" : "mpeg4"
        let clip = try SampleClips.make(
            "other.\(kind)", "-i \(FolderSamples.movie()) -an -c:v \(codec) -s 176x144 -q:v 2")
        try FileManager.default.removeItem(atPath: folder.path("tree/1.mov"))
        try FileManager.default.copyItem(atPath: clip, toPath: folder.path("tree/1.\(kind)"))
        let named = try run("link", "--by-name", "tree", "-o", "out")
        #expect(named.status == 0 && named.output.isEmpty)
        #expect(
            named.errors
                == "tree/1.jpg + tree/1.\(kind): skipped: 1.\(kind) is no MOV or MP4; --convert-others converts it\n"
                + "0 pairs linked, 1 skipped\n")
        #expect(
            try run("link", "--by-name", "tree", "--in-place").errors.contains("--output with --convert-others"))
        let dry = try run("link", "--by-name", "tree", "-o", "out", "--convert-others", "--dry-run")
        #expect(dry.output == "tree/1.jpg + tree/1.\(kind): would be converted\n", "\(dry.errors)")
        for arguments in [[], ["--tree", "%Y"]] {
            let folder = arguments.isEmpty ? "out" : "dated"
            let command = ["link", "--by-name", "tree", "-o", folder, "--convert-others"] + arguments
            let made = try Program.livephoto(command, in: self.folder.url)
            #expect(made.status == 0 && made.errors == "0 pairs linked, 1 converted\n", "\(made)")
            #expect(made.output.contains("/1.JPG\n") && made.output.hasSuffix("/1.MOV\n"))
            #expect(try run("verify", folder).status == 0)
            let again = try Program.livephoto(command, in: self.folder.url)
            #expect(again.errors == "0 pairs linked, 1 linked already\n", "\(again)")
        }
    }

    @Test func `files crossed by their numbers are linked by their identifiers`() throws {
        for number in [1, 2] {
            try FolderSamples.write("made/\(number)", to: folder)
            #expect(try run("link", "made/\(number).jpg", "made/\(number).mov", "--in-place").status == 0)
        }
        try FileManager.default.createDirectory(atPath: folder.path("tree"), withIntermediateDirectories: false)
        for (from, to) in [("1.jpg", "1.jpg"), ("1.mov", "1(1).mov"), ("2.jpg", "1(1).jpg"), ("2.mov", "1.mov")] {
            try FileManager.default.copyItem(atPath: folder.path("made/\(from)"), toPath: folder.path("tree/\(to)"))
        }
        let linked = try run("link", "--by-name", "tree", "-o", "out")
        #expect(linked.status == 0 && linked.errors == "2 pairs linked\n", "\(linked.errors)")
        #expect(try run("verify", "out").status == 0)
    }

    @Test func `the still time that no file has is where the movie shows the photo, by name as for one pair`() throws {
        try FolderSamples.write("tree/1", to: folder)
        let date = "2025:09:12 11:45:10"
        try Program.run(
            [
                "exiftool", "-q", "-overwrite_original", "-DateTimeOriginal=\(date)", "-OffsetTimeOriginal=+00:00",
                "-CreateDate=\(date)", "-MediaCreateDate=\(date)", "-TrackCreateDate=\(date)", "tree/1.jpg",
                "tree/1.mov",
            ], in: folder.url)
        let one = try run("link", "tree/1.jpg", "tree/1.mov", "-o", "one", "--json")
        let named = try run("link", "--by-name", "tree", "-o", "out", "--json")
        for outcome in [one, named] {
            #expect(outcome.output.replacing(" ", with: "").contains(#""stillTime":0.6"#), "\(outcome)")
        }
    }

    @Test func `one that cannot be linked is one line and status 1, and the rest goes on`() throws {
        try fill()
        try Data("no movie".utf8).write(to: folder.url.appendingPathComponent("tree/2.mov"))
        // Some can be linked, so the plan is of use.
        #expect(try run("link", "--by-name", "tree", "-o", "out", "-n").status == 0)
        let outcome = try run("link", "--by-name", "tree", "-o", "out")
        #expect(outcome.status == 1 && outcome.output == "out/a/1.JPG\nout/a/1.MOV\n")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("error: tree/2.mov: "), "\(outcome.errors)")
        #expect(lines.last == "1 pair linked, 1 could not be linked")
        #expect(try run("verify", "out").status == 0)
    }

    @Test func `what makes no sense is an error, and nothing is changed`() throws {
        try fill()
        for (arguments, status, sentence) in [
            (["--by-name", "tree"], 64, "give --output DIR to write copies"),
            (["--by-name", "none", "--in-place"], 66, "none: no such file"),
            (["--by-name", "tree/2.jpg", "--in-place"], 64, "is not a folder"),
            (["--by-name", "tree", "-o", "."], 64, "holds the folder itself"),
            (["--by-name", "tree", "tree/2.jpg", "-o", "x"], 64, "finds the files"),
            (["--by-name", "tree", "--in-place", "--tree", "%Y"], 64, "--tree applies only to copies"),
            (["--by-name", "tree", "-o", "x", "--tree", "photos"], 64, "is not a path of dates"),
            (["--by-name", "tree", "-o", "x", "--tree", "../%Y"], 64, "is not a path of dates"),
            (["tree/2.jpg", "tree/2.mov", "-o", "x", "--tree", "%Y"], 64, "--tree applies only to --by-name"),
            (["--by-name", "tree", "--in-place", "--convert-others"], 64, "--convert-others applies only to copies"),
            (["tree/2.jpg", "tree/2.mov", "-o", "x", "--convert-others"], 64, "applies only to --by-name"),
            (["--by-name", "tree", "-o", "live.MOV"], 64, "is the name of a file; several pairs need a folder"),
        ] {
            try expectFailure(["link"] + arguments, in: folder, Int32(status), sentence)
        }
    }

    @Test func `killed while it changes several pairs, undoing restores all`() throws {
        for number in 0..<20 { try FolderSamples.write("tree/\(number)", to: folder) }
        let before = try folder.snapshot
        let program = try Program.start(["link", "--by-name", "tree", "--in-place"], in: folder.url)
        let original = folder.path("tree/.livephoto-undo/8.photo")
        while program.isRunning, !FileManager.default.fileExists(atPath: original) { usleep(500) }
        program.send(SIGKILL)
        _ = try program.wait()
        #expect(try folder.snapshot != before)
        #expect(try run("undo", "tree").status == 0)
        #expect(try folder.snapshot == before)
    }

    @Test func `a signal ends it between two pairs, and says what is done`() throws {
        for number in 0..<40 { try FolderSamples.write("tree/\(number)", to: folder) }
        let before = try folder.snapshot
        let program = try Program.start(
            ["link", "--by-name", "tree", "--in-place"], in: folder.url, output: TightPipe(room: 256))
        while program.isRunning, !FileManager.default.fileExists(atPath: folder.path("tree/.livephoto-undo/3.photo")) {
            usleep(500)
        }
        program.send(SIGTERM)
        let outcome = try program.wait()
        #expect(outcome.status == 143 && outcome.errors.hasPrefix("stopped; "), "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix(" pairs linked; livephoto undo tree undoes it\n"))
        let count = try #require(Int(outcome.errors.dropFirst("stopped; ".count).prefix { $0.isNumber }))
        #expect((2..<40).contains(count) && outcome.output.split(separator: "\n").count == 2 * count)
        #expect(try run("undo", "tree").status == 0)
        #expect(try folder.snapshot == before)
    }
}
