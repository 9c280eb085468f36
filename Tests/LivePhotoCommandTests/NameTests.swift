import Foundation
import TestSupport
import Testing

/// The names of what is made, and what a name on the command line means.
@Suite struct NameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) throws -> Outcome { try Program.livephoto(arguments, in: folder.url) }

    private func put(_ path: String, _ name: String) throws {
        try FileManager.default.copyItem(atPath: path, toPath: folder.path(name))
    }

    private func clip() throws -> String { try SampleClips.moving("short.mp4", size: "64x64", seconds: 1) }

    @Test(arguments: [
        ("skate.mov", [], "skate-live"), ("skate.MOV", [], "skate-live"), ("skate.mov", ["-o", "."], "skate-live"),
        ("skate.mp4", [], "skate"), ("skate.mov", ["--name", "ollie"], "ollie"),
        ("skate.mp4", ["--photo", "skate.jpg"], "skate-live"), ("skate-live.mov", [], "skate-live-live"),
    ])
    func `a pair beside its clip has a name of its own, and the same one each time`(
        name: String, arguments: [String], expected: String
    ) throws {
        try put(clip(), name)
        try put(SampleClips.make("cover.jpg", "-f lavfi -i color=red:size=64x64 -frames:v 1"), "skate.jpg")
        let first = try Program.livephoto(["convert", name] + arguments, in: folder.url)
        #expect(first.status == 0 && first.output == "\(expected).JPG\n\(expected).MOV\n", "\(first.errors)")
        let input = arguments.contains("--photo") ? "skate.jpg" : name
        let note =
            "note: the pair is named \(expected), because \(input) is in the same folder; --name NAME sets another name\n"
        #expect(first.errors == (expected.hasSuffix("-live") ? note : ""))
        let again = try Program.livephoto(["convert", name] + arguments, in: folder.url)
        #expect(again.status == 0 && again.output.isEmpty && again.errors.contains("1 pair existed already"))
        try expectFailure(
            ["convert", name, "--exposure", "1"] + arguments, in: folder, 73,
            "\(expected).JPG: already exists, and was not made of this clip with these settings; use --force to replace it, or "
                + "another name")
        #expect(try Program.livephoto(["convert", name, "--force"] + arguments, in: folder.url).status == 0)
    }

    @Test func `a batch beside its clips names pairs as convert does, and knows them again`() throws {
        try put(clip(), "skate.mov")
        try folder.write(
            "version: 1\njobs:\n- input: skate.mov\n- {input: skate.mov, name: skate, output: out}\n", to: "j.yaml")
        let listed = try run("batch", "j.yaml", "--dry-run")
        #expect(listed.output == "skate.mov -> ./skate-live.MOV\nskate.mov -> ./out/skate.MOV\n", "\(listed.errors)")
        for _ in 0..<2 {
            let outcome = try run("batch", "j.yaml", "--progress", "none")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(folder.contents.filter { $0.hasSuffix(".MOV") } == ["out/skate.MOV", "skate-live.MOV"])
        }
    }

    @Test func `a photo's movie is the one of its identifier, though the clip lies beside it`() throws {
        try SamplePair.copyConverted(to: folder.url)
        try put(SampleClips.beach(), "beach.mp4")
        for name in ["beach.JPG", "beach.MOV"] { #expect(try run("verify", name).status == 0) }
        let packed = try run("pack", "beach.JPG", "--as", "livp", "-o", "beach.livp")
        #expect(packed.status == 0 && packed.output == "beach.livp\n", "\(packed.errors)")
        #expect(try run("link", "beach.JPG", "-o", "linked").status == 0)
        #expect(try run("unlink", "beach.JPG", "-o", "plain").status == 0)
        #expect(try run("link", "beach.JPG", "--in-place").status == 0)
        // Without an identifier, nothing shows which movie the photo belongs to.
        try put(folder.path("plain/beach.JPG"), "plain/beach.jpg")
        try put(folder.path("plain/beach.MOV"), "plain/beach.mp4")
        try FileManager.default.removeItem(atPath: folder.path("plain/beach.JPG"))
        let sentence = "there are 2 movies of the same name beside it (beach.MOV and beach.mp4)"
        try expectFailure(["link", "plain/beach.jpg", "--in-place"], in: folder, 66, sentence)
        // For a look at it, a Live Photo's extension decides.
        #expect(try run("verify", "plain/beach.jpg").output.contains("plain/beach.MOV"))
    }

    @Test(arguments: ["unlink beach.mp4 --in-place", "link beach.mp4 --in-place", "verify beach.mp4"])
    func `a pair's photo is not taken for the clip of the same name beside it`(line: String) throws {
        for (name, digit) in [("beach.JPG", 1), ("beach.MOV", 1), ("beach.mp4", nil)] {
            try SamplePair.write(name, identifier: digit, below: folder.path)
        }
        try expectFailure(
            line.split(separator: " ").map(String.init), in: folder, 66,
            "beach.mp4: the photo of the same name beside it, beach.JPG, belongs to beach.MOV by its content identifier"
        )
        // A photo of its own is free.
        try SamplePair.write("beach.jpeg", identifier: nil, below: folder.path)
        let plan = try run("link", "beach.mp4", "--in-place", "-n")
        #expect(plan.output == "beach.jpeg\nbeach.mp4\n", "\(plan.errors)")
    }

    @Test func `with several movies, unlink takes none that only its extension shows`() throws {
        for (name, digit) in [("m.JPG", 1), ("m.MOV", 2), ("m.mp4", 3)] {
            try SamplePair.write(name, identifier: digit, below: folder.path)
        }
        try expectFailure(
            ["unlink", "m.JPG", "--in-place"], in: folder, 66,
            "m.JPG: there are 2 movies of the same name beside it (m.MOV and m.mp4)")
    }

    @Test(arguments: [
        ("convert beach.MOV -o m/x.HEIC", "the photo will be a JPEG; write 'm/x.JPG'"),
        ("convert beach.MOV --photo IMG_1.HEIC -o x.jpeg", "the photo will be a HEIC; write 'x.HEIC'"),
        ("link beach.JPG beach.MOV -o x.heic", "the photo will be a JPEG; write 'x.JPG'"),
        ("unlink beach.JPG beach.MOV -o x.heic", "the photo will be a JPEG; write 'x.JPG'"),
        ("unlink IMG_1.HEIC IMG_1.MOV -o x.jpg", "the photo will be a HEIC; write 'x.HEIC'"),
        ("extract PXL_1.MP.jpg -o x.HEIC", "the photo will be a JPEG; write 'x.JPG'"),
    ])
    func `an output with the extension of another photo is refused, and the right one named`(
        line: String, sentence: String
    ) throws {
        try SamplePair.copyConverted(to: folder.url, withMotionPhoto: true)
        try Data(DevicePair.photo).write(to: folder.url.appendingPathComponent("IMG_1.HEIC"))
        try Data(DevicePair.movie).write(to: folder.url.appendingPathComponent("IMG_1.MOV"))
        try expectFailure(
            line.split(separator: " ").map(String.init) + ["-n"], in: folder, 64, "--output: \(sentence)")
    }

    @Test(arguments: [
        ("convert short.mp4 -o live/out.MOV", "live/out"), ("convert short.mp4 -oout.jpg", "out"),
        ("link beach.JPG beach.MOV --output out.mov", "out"),
        ("unlink beach.JPG beach.MOV -o live/out.jpeg", "live/out"),
        ("extract PXL_1.MP.jpg -o out.JPG", "out"), ("convert short.mp4 -o folder.MOV", "folder.MOV/short"),
        ("convert short.mp4 -o new.mov/", "new.mov/short"),
    ])
    func `an output with the extension of a photo or movie is folder and name, unless it is a folder`(
        line: String, expected: String
    ) throws {
        try SamplePair.copyConverted(to: folder.url, withMotionPhoto: true)
        try put(clip(), "short.mp4")
        try FileManager.default.createDirectory(atPath: folder.path("folder.MOV"), withIntermediateDirectories: false)
        let outcome = try Program.livephoto(line.split(separator: " ").map(String.init), in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let movies = folder.contents.filter { $0.hasSuffix(".MOV") && !["beach.MOV", "folder.MOV"].contains($0) }
        #expect(movies == ["\(expected).MOV"] && folder.contents.contains("\(expected).JPG"))
    }

    @Test(arguments: [
        ("convert beach.MOV -o out.MOV --name other", "--output: 'out.MOV' already is a name; leave --name out"),
        ("convert beach.MOV -o out.mp4", "'out.mp4' is neither a folder nor the name of a Live Photo's file"),
        ("link beach.JPG beach.MOV -o out.png", "'out.png' is neither a folder nor the name of a Live Photo's file"),
        ("extract beach.JPG PXL_1.MP.jpg -o out.MOV", "'out.MOV' is the name of a file; several pairs need a folder"),
        ("batch jobs.yaml -o out.MOV", "'out.MOV' is the name of a file; several pairs need a folder"),
        ("pack . --as livp -o out.jpg", "'out.jpg' is the name of a file; several pairs need a folder"),
    ])
    func `an output that cannot be a name is refused`(line: String, sentence: String) throws {
        try SamplePair.copyConverted(to: folder.url, withMotionPhoto: true)
        try folder.write("version: 1\njobs:\n- input: beach.MOV\n", to: "jobs.yaml")
        try expectFailure(line.split(separator: " ").map(String.init), in: folder, 64, sentence)
    }
}
