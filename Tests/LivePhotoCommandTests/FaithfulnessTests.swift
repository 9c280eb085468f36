import Foundation
import TestSupport
import Testing

/// Nothing is silently made other than it was asked for.
@Suite struct FaithfulnessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ line: String) throws -> Outcome {
        try Program.livephoto(line.split(separator: " ").map(String.init), in: folder.url)
    }

    @Test func `a Live Photo's movie keeps its own still, unless another is asked for`() throws {
        let clip = try SampleClips.beach()
        let first = try Report(run("convert \(clip) --still 1.2 --start 0.5 --name first --json"))
        let plan = try run("convert first.MOV --name second --dry-run")
        #expect(plan.output.contains(" in the clip, the still time of this Live Photo's movie\n"), "\(plan.output)")
        let own = try Report(run("convert first.MOV --name second --json"))
        #expect(first.stillTime < 1 && abs(own.stillTimeInClip - first.stillTime) < 1e-5)
        #expect(try Reader.similarity((clip, 1.2), (folder.path(own.photo), nil)) > 0.9)
        let other = try Report(run("convert first.MOV --name third --still 50% --json -n"))
        #expect(abs(other.stillTimeInClip - 1.5) < 0.1)
        let outside = try Report(run("convert first.MOV --name third --start 1 --json -n"))
        #expect(outside.stillTimeInClip > 1.5)
        #expect(
            outside.warnings.contains {
                $0.hasPrefix("the still time of this Live Photo's movie, ")
                    && $0.contains(" is outside the part from 1 s")
            }, "\(outside.warnings)")
        for line in ["--still 50%", "--start 1 --before 0.5", ""] {
            let report = try Report(run("convert first.MOV --name third \(line) --json -n"))
            #expect(report.warnings == own.warnings, "\(line)")
        }
    }

    @Test func `a still at the end of the clip that was asked for is no reason for a warning`() throws {
        let report = try Report(run("convert \(SampleClips.beach()) --before 4 --json -n"))
        #expect(report.warnings.isEmpty && report.stillTimeInClip > 3.8, "\(report.warnings)")
    }

    @Test(arguments: [["--in-place"], ["-o", "out"], ["-o", "out", "-n"]])
    func `files of two pairs are linked only with --force`(destination: [String]) throws {
        for digit in [1, 2] {
            try SamplePair.write("\(digit).JPG", identifier: digit, below: folder.path)
            try SamplePair.write("\(digit).MOV", identifier: digit, below: folder.path)
        }
        let link = ["link", "1.JPG", "2.MOV"] + destination
        try expectFailure(
            link, in: folder, 65, "1.JPG: belongs to another pair than 2.MOV: their content identifiers are '")
        let refused = try Program.livephoto(link, in: folder.url)
        #expect(refused.errors.hasSuffix("; --force links them anyway\n"))
        #expect(try Program.livephoto(link + ["--force"], in: folder.url).status == 0)
    }

    @Test(
        arguments: [
            (1, 2, ["1.JPG"], "1.JPG: belongs to another pair than 1.mov: their content identifiers are '"),
            (1, 2, ["1.mov"], "1.JPG: belongs to another pair than 1.mov: their content identifiers are '"),
            (1, 2, ["1.JPG", "1.mov"], "1.JPG: belongs to another pair than 1.mov: their content identifiers are '"),
            (1, nil, ["1.JPG"], "1.JPG: is not linked with 1.mov: only the photo has a content identifier"),
            (nil, 1, ["1.JPG", "1.mov"], "1.JPG: is not linked with 1.mov: only the movie has a content identifier"),
        ] as [(Int?, Int?, [String], String)])
    func `files that are no pair are unlinked only with --force`(
        photo: Int?, movie: Int?, files: [String], sentence: String
    ) throws {
        try SamplePair.write("1.JPG", identifier: photo, below: folder.path)
        try SamplePair.write("1.mov", identifier: movie, below: folder.path)
        for destination in [["--in-place"], ["-o", "out"], ["--in-place", "-n"]] {
            try expectFailure(["unlink"] + files + destination, in: folder, 65, sentence)
        }
        let refused = try Program.livephoto(["unlink"] + files + ["-o", "out"], in: folder.url)
        #expect(refused.errors.hasSuffix("; --force unlinks them anyway\n"))
        #expect(try Program.livephoto(["unlink"] + files + ["--in-place", "--force"], in: folder.url).status == 0)
        // Two files without an identifier are no longer a pair.
        #expect(try Program.livephoto(["unlink"] + files + ["-o", "out"], in: folder.url).status == 0)
    }

    @Test(arguments: [
        ("link", "link a photo and a movie of different pairs (not with --by-name)"),
        ("unlink", "unlink a photo and a movie that are not linked to each other"),
    ])
    func `the help of --force says what the command does with it`(command: String, text: String) throws {
        let help = try run("\(command) --help").output.split { $0.isWhitespace }.joined(separator: " ")
        #expect(help.contains("--force Replace existing files, and \(text)."), "\(help)")
    }

    @Test func `a job that links files of two pairs fails without --force`() throws {
        try SamplePair.write("1.JPG", identifier: 1, below: folder.path)
        try SamplePair.write("2.MOV", identifier: 2, below: folder.path)
        try folder.write("version: 1\njobs:\n- {movie: 2.MOV, photo: 1.JPG}\n", to: "jobs.yaml")
        let refused = try run("batch jobs.yaml -o out --progress none")
        #expect(refused.status == 1 && refused.errors.contains("belongs to another pair"), "\(refused.errors)")
        #expect(!folder.contents.contains("out/1.MOV"))
        #expect(try run("batch jobs.yaml -o out --progress none --force").status == 0)
    }

    @Test(
        arguments: [
            (1, 2, "the photo's content identifier is '"), (nil, 1, "1.JPG: is not a Live Photo with 1.MOV: the photo"),
            (1, nil, "1.JPG: is not a Live Photo with 1.MOV: the movie"),
        ] as [(Int?, Int?, String)])
    func `files that are no pair are not packed`(photo: Int?, movie: Int?, sentence: String) throws {
        try SamplePair.write("1.JPG", identifier: photo, below: folder.path)
        try SamplePair.write("1.MOV", identifier: movie, below: folder.path)
        for format in ["livp", "pvt", "motion-photo"] {
            try expectFailure(["pack", "1.JPG", "--as", format, "-o", "packed"], in: folder, 65, sentence)
        }
    }

    @Test(arguments: [
        ("a.MP.jpg", "motion-photo", "a Motion Photo"), ("a.livp", "livp", "a .livp file"),
        ("a.pvt", "pvt", "a .pvt folder"), ("a.zip", "pvt.zip", "a zip file with a photo and a movie"),
    ])
    func `a file that already has a photo and its movie is not converted, but extracted`(
        name: String, format: String, kind: String
    ) throws {
        try SamplePair.copyConverted(to: folder.url)
        #expect(try run("pack beach.JPG --as \(format) -o \(name)").status == 0)
        let sentence = "\(name): is \(kind), not a clip; livephoto extract \(name) makes a Live Photo of it"
        try expectFailure(["convert", name, "-o", "out"], in: folder, 65, sentence)
        #expect(try run("extract \(name) -o out").status == 0)
        try folder.write("version: 1\njobs:\n- input: \(name)\n", to: "jobs.yaml")
        let batch = try run("batch jobs.yaml -o batch --progress none")
        #expect(batch.status == 1 && batch.errors.contains(sentence), "\(batch.errors)")
    }

    @Test(arguments: [
        ("convert beach.MOV -o out --name a -n", "files: out/a.JPG, out/a.MOV\n"),
        ("link beach.JPG beach.MOV -o out --name a -n", "out/a.JPG\nout/a.MOV\n"),
        ("link beach.JPG beach.MOV --in-place -n", "beach.JPG\nbeach.MOV\n"),
        ("unlink beach.JPG beach.MOV -o out --name a -n", "out/a.JPG\nout/a.MOV\n"),
        ("unlink beach.JPG -n --in-place", "beach.JPG\nbeach.MOV\n"),
        ("extract PXL_1.MP.jpg -o out --name a -n", "out/a.JPG\nout/a.MOV\n"),
        ("pack beach.JPG beach.MOV --as livp -o a.livp -n", "a.livp\n"),
        (
            "link --by-name . -o sub/out -n",
            "beach.JPG + beach.MOV: would be linked as sub/out/beach.JPG + sub/out/beach.MOV at "
        ),
    ])
    func `a dry run names the files that the run writes, and writes none`(line: String, files: String) throws {
        try SamplePair.copyConverted(to: folder.url, withMotionPhoto: true)
        let before = try folder.snapshot
        let outcome = try run(line)
        #expect(outcome.status == 0 && outcome.output.hasPrefix(files), "\(outcome.output)\(outcome.errors)")
        #expect(try folder.snapshot == before)
    }

    @Test(arguments: [
        ("convert beach.MOV -o out --name a", "files: out/a.JPG, out/a.MOV\n"),
        ("link beach.JPG beach.MOV -o out --name a", "out/a.JPG\nout/a.MOV\n"),
        ("unlink beach.JPG beach.MOV -o out --name a", "out/a.JPG\nout/a.MOV\n"),
        ("extract PXL_1.MP.jpg -o out --name a", "out/a.JPG\nout/a.MOV\n"),
        ("pack beach.JPG beach.MOV --as livp -o out/a.livp", "out/a.livp\n"),
    ])
    func `where a file exists, a dry run names it and ends as the run would`(line: String, files: String) throws {
        try SamplePair.copyConverted(to: folder.url, withMotionPhoto: true)
        for name in ["a.MOV", "a.livp"] { try folder.write("other", to: "out/\(name)") }
        let before = try folder.snapshot
        let outcome = try run(line + " -n")
        #expect(outcome.status == 73 && outcome.output.hasPrefix(files), "\(outcome.output)\(outcome.errors)")
        let existing = files.contains("a.livp") ? "out/a.livp" : "out/a.MOV"
        #expect(outcome.errors.contains("error: \(existing): already exists; use --force to replace it"))
        #expect(try run(line + " -n --force").status == 0)
        #expect(try run(line).status == 73 && folder.snapshot == before)
    }

    @Test func `a dry run of several fails only if nothing could be made`() throws {
        try SamplePair.copyConverted(to: folder.url, withMotionPhoto: true)
        try folder.write("text", to: "a.livp")
        let some = try run("extract a.livp PXL_1.MP.jpg -o out -n")
        #expect(some.status == 0 && some.errors.hasSuffix("2 pairs: 1 would be made, 1 failed\n"), "\(some.errors)")
        #expect(try run("extract a.livp PXL_1.MP.jpg -o out").status == 1)
        #expect(try run("extract a.livp a.livp -o out -n").status == 1)
    }

    @Test func `a plan repeats what was asked for as it was written, and has filters only if asked`() throws {
        try SamplePair.copyConverted(to: folder.url)
        let plan = try run("convert beach.MOV -o out -n --still 0:01.2 --duration 1500ms")
        #expect(plan.output.contains("\nrequested: still 0:01.2, duration 1500ms\n"), "\(plan.output)\(plan.errors)")
        #expect(!plan.output.contains("filters") && !plan.output.contains("scale="))
        #expect(try run("convert beach.MOV -o out -n --verbose").output.contains("\nfilters: "))
        #expect(try !run("convert beach.MOV -o out -n").output.contains("requested"))
        try folder.write("version: 1\njobs:\n- {input: beach.MOV, still: 0:01.2}\n", to: "jobs.yaml")
        let report = try run("batch jobs.yaml -o batch --progress none --report -").output
        #expect(report.contains("\"stillAsked\":\"0:01.2\""), "\(report)")
        let outcome = try run("link beach.JPG beach.MOV -o out --still 1:30")
        #expect(outcome.errors.contains("there is nothing at 1:30 (90 s); the movie lasts 3 s"), "\(outcome.errors)")
    }
}
