import Foundation
import TestSupport
import Testing

/// `pack` for an iPhone, and `verify` and `inspect` of motion photos, as their users run them.
@Suite struct PhoneTransferTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SamplePair().write(below: folder.path)
    }

    private func run(_ arguments: String...) throws -> Outcome { try Program.livephoto(arguments, in: folder.url) }

    @Test func `a pvt.zip holds the folder that Photos knows, unpacks with unzip, and is extracted again`() throws {
        let packed = try run("pack", "IMG_1.JPG", "--as", "pvt.zip", "-o", ".")
        #expect(packed.status == 0 && packed.output == "./IMG_1.pvt.zip\n", "\(packed.errors)")
        #expect(try Program.system("unzip", ["-t", "IMG_1.pvt.zip"], in: folder.url).status == 0)
        #expect(try Program.system("unzip", ["-q", "IMG_1.pvt.zip", "-d", "files"], in: folder.url).status == 0)
        #expect(try run("pack", "IMG_1.JPG", "--as", "pvt", "-o", "a.pvt").status == 0)
        let made = folder.contents.filter { $0.hasPrefix("files/IMG_1.pvt/") }
        #expect(made.map { $0.dropFirst("files/IMG_1.pvt/".count) } == ["IMG_1.JPG", "IMG_1.MOV", "metadata.plist"])
        for name in made {
            let other = "a.pvt/" + name.dropFirst("files/IMG_1.pvt/".count)
            #expect(
                FileManager.default.contentsEqual(atPath: folder.path(name), andPath: folder.path(other)), "\(name)")
        }
        for container in ["IMG_1.pvt.zip", "files/IMG_1.pvt"] {
            let outcome = try run("extract", container, "-o", "back")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try run("verify", "back/IMG_1.JPG").status == 0)
        }
        let present = try run("pack", "IMG_1.JPG", "--as", "pvt.zip", "-o", ".")
        #expect(present.status == 0 && present.output.isEmpty)
    }

    @Test func `of several pairs in an archive, those that cannot be written do not keep the others`() throws {
        var second = try SamplePair()
        (second.photoName, second.movieName) = ("IMG_2.JPG", "IMG_2.MOV")
        try second.write(below: folder.path)
        #expect(try run("pack", ".", "--as", "pvt.zip", "-o", "all.pvt.zip").status == 0)
        let named = try run("extract", "all.pvt.zip", "--name", "beach", "-o", "named")
        #expect(named.status == 64 && named.errors.contains("--name applies only to a single pair"), "\(named.errors)")
        #expect(!folder.contents.contains { $0.hasPrefix("named") })
        try FileManager.default.createDirectory(atPath: folder.path("back"), withIntermediateDirectories: true)
        try Data("other".utf8).write(to: URL(fileURLWithPath: folder.path("back/IMG_1.JPG")))
        let outcome = try run("extract", "all.pvt.zip", "-o", "back", "--jobs", "1")
        #expect(outcome.status == 1 && outcome.output == "back/IMG_2.JPG\nback/IMG_2.MOV\n", "\(outcome)")
    }

    @Test func `pairs go to the folders of a camera's card, which keeps all of its files`() throws {
        let first = try run("pack", "IMG_1.JPG", "--as", "dcim", "-o", "card")
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output == "card/DCIM/100APPLE/IMG_0001.JPG\ncard/DCIM/100APPLE/IMG_0001.MOV\n")
        let again = try run("pack", ".", "--as", "dcim", "-o", "card", "--json")
        #expect(again.status == 0 && again.output.contains("\"status\":\"present\""))
        #expect(
            again.output.contains(
                "\"outputs\":[\"card/DCIM/100APPLE/IMG_0001.JPG\",\"card/DCIM/100APPLE/IMG_0001.MOV\"]"))
        #expect(try run("verify", "card").output == "1 pair: 1 good\n")
        try expectFailure(
            ["pack", "IMG_1.JPG", "--as", "dcim", "-o", "card", "--force"], in: folder, 64,
            "--force does not apply to --as dcim, which never replaces a file")
        try expectFailure(
            ["pack", "IMG_1.JPG", "--as", "dcim", "-o", "card", "--keep-id"], in: folder, 64,
            "--keep-id applies only to --as motion-photo")
    }

    @Test(arguments: ["pvt", "pvt.zip", "livp", "dcim"])
    func `options of the worker are refused where nothing is decoded`(format: String) throws {
        let before = folder.contents
        for (option, value) in [("--timeout", "5"), ("--memory-limit", "2GB"), ("--sandbox", "off")] {
            try expectFailure(
                ["pack", "IMG_1.JPG", "--as", format, "-o", "out", option, value], in: folder, 64,
                "\(option) applies only to --as motion-photo; for other formats nothing is decoded")
        }
        #expect(folder.contents == before)
    }

    @Test(arguments: ["pvt", "pvt.zip", "livp", "dcim"])
    func `limits of decoders may be set for all commands, also for formats that need no decoder`(format: String) throws
    {
        try folder.write("sandbox: require\ntimeout: 600\nmemory-limit: 2048\n", to: "config.yaml")
        let packed = try Program.livephoto(
            ["pack", "IMG_1.JPG", "--as", format, "-o", "out"], in: folder.url,
            environment: ["LIVEPHOTO_CONFIG": folder.path("config.yaml")])
        #expect(packed.status == 0, "\(packed.errors)")
    }

    @Test func `the name of a bundle that a shell completed with a slash names its format`() throws {
        #expect(try run("pack", "IMG_1.JPG", "-o", "completed.pvt/").status == 0)
        #expect(try folder.files.keys.contains("completed.pvt/IMG_1.MOV"))
    }

    @Test func `verify and inspect judge motion photos by rules of their own`() throws {
        #expect(try run("pack", "IMG_1.JPG", "--as", "motion-photo", "-o", ".").status == 0)
        let good = try run("verify", "IMG_1.MP.jpg")
        #expect(good.status == 0 && good.output.hasSuffix("  a motion photo: no problems found\n"), "\(good.output)")
        #expect(try run("verify", "IMG_1.MP.jpg", "--json").output.contains("\"ok\":true"))
        #expect(
            try run("pack", "IMG_1.JPG", "--as", "motion-photo", "--keep-id", "-o", "kept.MP.jpg").status == 0)
        let kept = try run("verify", "IMG_1.MP.jpg", "kept.MP.jpg", "--json")
        #expect(kept.status == 0)
        let lines = kept.output.split(separator: "\n")
        #expect(lines.count == 2 && lines[1].contains("motion-photo-identifier"))
        // It agrees with the exit status.
        #expect(lines.allSatisfy { $0.contains("\"ok\":true") })
        #expect(lines[0].contains("\"strict\":true") && lines[1].contains("\"strict\":false"))
        #expect(lines.allSatisfy { $0.contains("\"kind\":\"motion-photo\"") })
        let data = try Data(contentsOf: folder.url.appendingPathComponent("IMG_1.MP.jpg"))
        try (data + Data("vendor".utf8)).write(to: folder.url.appendingPathComponent("bad.MP.jpg"))
        let bad = try run("verify", "bad.MP.jpg")
        #expect(
            bad.status == 1 && bad.output.contains("error: the description of the movie is wrong: "), "\(bad.output)")
        let page = try run("inspect", "bad.MP.jpg")
        #expect(page.status == 0 && page.output.contains("(motion-photo-movie)"), "\(page.output)")
        #expect(try run("inspect", "bad.MP.jpg", "--json").output.contains("\"rule\":\"motion-photo-length\""))
        try expectFailure(
            ["verify", "IMG_1.MP.jpg", "--pixels"], in: folder, 64, "--pixels compares the files of a Live Photo")
        try expectFailure(
            ["verify", "IMG_1.MP.jpg", "--profile", "classic"], in: folder, 64,
            "--profile selects rules for Live Photos")
        #expect(try run("verify", "IMG_1.JPG").output.hasPrefix("IMG_1.JPG + IMG_1.MOV\n"))
    }

    @Test(arguments: [
        (["pack", "IMG_1.JPG", "--as", "motion-photo"], "img_1.mp.jpg", "IMG_1.MP.jpg"),
        (["pack", "IMG_1.JPG", "--as", "livp"], "IMG_1.LIVP", "IMG_1.livp"),
        (["pack", "IMG_1.JPG", "--as", "motion-photo"], "Img_1.MP.Jpg", "IMG_1.MP.jpg"),
        (["extract", "a.pvt"], "IMG_1.mov", "IMG_1.MOV"), (["extract", "a.pvt"], "img_1.jpg", "IMG_1.JPG"),
    ])
    func `nothing gets a name that differs only in case from one in its folder`(
        arguments: [String], existing: String, name: String
    ) throws {
        #expect(try run("pack", "IMG_1.JPG", "--as", "pvt", "-o", "a.pvt").status == 0)
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("out"), withIntermediateDirectories: false)
        try Data().write(to: folder.url.appendingPathComponent("out/\(existing)"))
        let before = folder.contents
        for option in ["--json", "--force", "--dry-run"] {
            let outcome = try Program.livephoto(arguments + ["-o", "out", option], in: folder.url)
            #expect(outcome.status == 73, "\(outcome.errors)")
            #expect(
                outcome.errors.contains("out/\(name): differs only in case from out/\(existing)"), "\(outcome.errors)")
        }
        #expect(folder.contents == before)
    }

    @Test(arguments: [
        ("motion-photo", "new/", "new/IMG_1.MP.jpg"), ("motion-photo", "new", "new/IMG_1.MP.jpg"),
        ("motion-photo", "a.jpg/", "a.jpg/IMG_1.MP.jpg"), ("livp", "2026.07", "2026.07/IMG_1.livp"),
        ("pvt", "new", "new/IMG_1.pvt/"), ("pvt", "b.pvt/", "b.pvt/"), ("pvt.zip", "b.zip", "b.zip"),
    ])
    func `the output of one pair is a folder unless it has the extension of the format`(
        format: String, output: String, made: String
    ) throws {
        let outcome = try run("pack", "IMG_1.JPG", "--as", format, "-o", output)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(folder.contents.contains { $0.hasPrefix(made) }, "\(folder.contents)")
    }

    @Test(arguments: [
        ("motion-photo", "x.heic", "the file will be a JPEG; write 'x.jpg'"),
        ("motion-photo", "new.MOV", "the file will be a JPEG; write 'new.jpg'"),
        ("livp", "x.jpg", "the file will be a .livp; write 'x.livp'"),
    ])
    func `an output with the extension of another format is an error`(
        format: String, output: String, sentence: String
    ) throws {
        let before = folder.contents
        try expectFailure(["pack", "IMG_1.JPG", "--as", format, "-o", output], in: folder, 64, sentence)
        #expect(folder.contents == before)
    }

    @Test(arguments: [("p/same", "m/same"), ("p/metadata.plist", "m/same.MOV")])
    func `a pvt.zip of files without telling names is extracted again`(photo: String, movie: String) throws {
        for (from, to) in [("IMG_1.JPG", photo), ("IMG_1.MOV", movie)] {
            let target = folder.url.appendingPathComponent(to)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: folder.url.appendingPathComponent(from), to: target)
        }
        #expect(try run("pack", photo, movie, "--as", "pvt.zip", "-o", "a.zip").status == 0)
        let outcome = try run("extract", "a.zip", "-o", "back", "--name", "a")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try run("verify", "back/a.JPG").status == 0)
    }

    @Test(arguments: ["google", "samsung", "xiaomi", "oppo", "vivo", "huawei", "honor"])
    func `a motion photo for a phone breaks no rule`(phone: String) throws {
        #expect(try run("pack", "IMG_1.JPG", "--as", "motion-photo", "--for", phone, "-o", "a.MP.jpg").status == 0)
        let outcome = try run("verify", "a.MP.jpg", "--json")
        #expect(outcome.status == 0 && outcome.output.contains("\"ok\":true"), "\(outcome.output)")
    }

    @Test func `an extracted photo loses the mark of a motion photo in its name`() throws {
        for (name, expected) in [("a.MP.jpg", "a"), ("b.mp.jpg", "b"), ("c.MP~2.jpg", "c~2"), ("d.MPX.jpg", "d.MPX")] {
            #expect(try run("pack", "IMG_1.JPG", "--as", "motion-photo", "-o", name).status == 0)
            #expect(try run("extract", name, "-o", "out").output == "out/\(expected).JPG\nout/\(expected).MOV\n")
        }
    }
}
