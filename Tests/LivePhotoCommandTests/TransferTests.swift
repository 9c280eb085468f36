import Foundation
import TestSupport
import Testing

/// `extract` and `pack` of whole folders, as their users run them.
@Suite(.serialized) struct TransferTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let clip = try SampleClips.moving("short.mp4", size: "64x64", seconds: 1)
        #expect(try run("convert", clip, "--name", "beach", "-o", "pairs").status == 0)
        #expect(try run("pack", "pairs", "--as", "livp", "-o", "packed").status == 0)
    }

    private func run(_ arguments: String...) throws -> Outcome { try Program.livephoto(arguments, in: folder.url) }

    private func copies(_ count: Int) throws {
        for number in 0..<count {
            let place = folder.url.appendingPathComponent("many/\(String(1000 + number).dropFirst())")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try FileManager.default.linkItem(
                at: folder.url.appendingPathComponent("packed/beach.livp"), to: place.appendingPathComponent("a.livp"))
        }
    }

    @Test(arguments: ["beach.JPG", "beach.MOV"])
    func `an archive that unpacks to far more than a photo or a movie can is refused before a byte is written`(
        name: String
    ) throws {
        let made = try Program.system(
            "python3",
            [
                "-c",
                """
                import sys, zipfile
                with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
                    for name in ["beach.JPG", "beach.MOV"]:
                        pair = open("pairs/" + name, "rb").read()
                        archive.writestr(name, bytes(100 << 20) if name == sys.argv[1] else pair)
                """, name,
            ], in: folder.url)
        try #require(made.status == 0, "\(made.errors)")
        let before = folder.contents
        let outcome = try run("extract", "bomb.zip", "-o", "out")
        #expect(outcome.status == 65 && outcome.errors.contains("expected at most 20 times the"), "\(outcome.errors)")
        #expect(folder.contents == before)
        // It can be looked at.
        #expect(try run("inspect", "bomb.zip").status == 0)
    }

    @Test func `results go to stdout, counts and errors to stderr, and the second run has nothing to do`() throws {
        try copies(2)
        try Data("text".utf8).write(to: folder.url.appendingPathComponent("many/bad.livp"))
        let first = try run("extract", "many", "-o", "out")
        #expect(first.status == 1)
        #expect(first.output == (0..<2).map { "out/00\($0)/beach.JPG\nout/00\($0)/beach.MOV\n" }.joined())
        let lines = first.errors.split(separator: "\n")
        #expect(lines.first?.hasPrefix("error: many/bad.livp: is not a .pvt folder") == true)
        #expect(lines.last == "3 pairs: 2 made, 1 failed", "\(first.errors)")
        let second = try run("extract", "many", "-o", "out", "--json")
        #expect(second.status == 1 && second.output.contains("\"status\":\"present\""))
        #expect(second.output.split(separator: "\n").count == 3 && !second.output.contains("\"made\""))
        try FileManager.default.removeItem(atPath: folder.path("many/bad.livp"))
        let third = try run("extract", "many", "-o", "out")
        #expect(third.status == 0 && third.output.isEmpty && third.errors == "2 pairs: 2 already present\n")
        let dry = try run("pack", "out", "--as", "motion-photo", "-o", "phone", "--dry-run")
        #expect(dry.status == 0 && dry.output == "phone/000/beach.MP.jpg\nphone/001/beach.MP.jpg\n", "\(dry.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("phone")))
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a signal stops between two pairs, and says how many were made`(signal: Int32, status: Int32) throws {
        try copies(200)
        let program = try Program.start(
            ["extract", "many", "-o", "out"], in: folder.url, output: TightPipe(room: 1024))
        while !FileManager.default.fileExists(atPath: folder.path("out/003/beach.JPG")) {
            try #require(program.isRunning)
            usleep(1_000)
        }
        program.send(signal)
        let outcome = try program.wait()
        let pairs = folder.contents.filter { $0.hasPrefix("out/") && $0.hasSuffix(".JPG") }
        // Pairs before the one that was waited for may have been in progress.
        #expect(outcome.status == status && (1..<200).contains(pairs.count))
        #expect(outcome.errors == "stopped; \(pairs.count) pairs were written\n")
        #expect(outcome.output.split(separator: "\n").count == 2 * pairs.count)
        #expect(folder.contents.count { $0.hasPrefix("out/") && $0.hasSuffix(".MOV") } == pairs.count)
        #expect(!folder.contents.contains { $0.contains(".livephoto-") })
    }

    @Test func `a terminal sees a bar`() throws {
        try copies(3)
        let line = "export TERM=xterm LC_ALL=C.UTF-8; '\(Program.livephoto.path)' extract many -o out > printed"
        let outcome = try Program.system("script", ["-qec", line, "/dev/null"], in: folder.url)
        #expect(outcome.output.contains("extracting ━") && outcome.output.contains("━ 3/3 files"))
        #expect(outcome.output.hasSuffix("\u{1B}[K3 pairs: 3 made\r\n"))
    }
}
