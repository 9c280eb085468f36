import Foundation
import TestSupport
import Testing

/// A conversion that is stopped on its way leaves nothing, or the whole pair.
///
/// They wait without `await`: the next free thread of the pool may be one test or many later.
@Suite(.serialized) struct InterruptionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Starts a conversion of many seconds into `out`, and returns when part of the movie is written.
    private func startSlowConversion() throws -> RunningProgram {
        let preset = """
            name: slow
            extends: classic
            window: {before: 15, after: 15}
            video: {frameRate: 30, x264Preset: medium}
            """
        try Data(preset.utf8).write(to: folder.url.appendingPathComponent("slow.yaml"))
        let program = try Program.start(
            ["convert", try SampleClips.long(), "-o", "out", "--name", "beach", "--preset", "slow.yaml"], in: folder.url
        )
        var sizes: Set<Int> = []
        while sizes.count < 2 {
            try #require(program.isRunning, "the conversion is too fast to be stopped on its way")
            usleep(10_000)
            sizes.formUnion(program.sizesOfUnnamedFiles.filter { $0 > 0 })
        }
        return program
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func `a signal stops the work soon and leaves nothing`(signal: Int32, status: Int32) throws {
        try expect(within: .seconds(2)) {
            let program = try startSlowConversion()
            let time = try ContinuousClock().measure {
                program.send(signal)
                let outcome = try program.wait()
                #expect(outcome.status == status)
                #expect(outcome.output.isEmpty && outcome.errors == "stopped; nothing was written\n")
            }
            #expect(folder.contents == ["slow.yaml"])
            return time
        }
    }

    @Test func `more of the signal while the work stops does no harm`() throws {
        let program = try startSlowConversion()
        for _ in 0..<3 {
            program.send(SIGINT)
            usleep(20_000)
        }
        let outcome = try program.wait()
        #expect(outcome.status == 130 && outcome.errors == "stopped; nothing was written\n")
        #expect(folder.contents == ["slow.yaml"])
    }

    @Test func `a program started with nohup outlives its terminal`() throws {
        let clip = try SampleClips.beach()
        let program = try RunningProgram(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["nohup", Program.livephoto.path, "convert", clip, "-o", "out", "--preset", "smooth"], in: folder.url)
        while program.isRunning, program.sizesOfUnnamedFiles.isEmpty { usleep(2_000) }
        program.send(SIGHUP)
        #expect(try program.wait().status == 0)
        #expect(folder.contents == ["out", "out/beach.JPG", "out/beach.MOV"])
    }

    @Test func `a killed run leaves nothing, not even a hidden folder`() throws {
        let program = try startSlowConversion()
        #expect(folder.contents == ["slow.yaml"])
        program.send(SIGKILL)
        #expect(try program.wait().status == -SIGKILL)
        #expect(folder.contents == ["slow.yaml"])
        let next = try Program.livephoto("convert", try SampleClips.beach(), "-o", "out", in: folder.url)
        #expect(next.status == 0)
        #expect(folder.contents == ["out", "out/beach.JPG", "out/beach.MOV", "slow.yaml"])
    }

    @Test func `a signal stops also a run that is still looking at its clip`() throws {
        // A bare stream without times has to be decoded to be known.
        let clip = try SampleClips.make("bare.h264", "-i \(try SampleClips.long()) -c copy")
        try expect(within: .seconds(1)) {
            let program = try Program.start(["convert", clip, "-o", "out"], in: folder.url)
            while program.isRunning, !program.isDecoding { usleep(5_000) }
            #expect(program.isRunning && folder.contents.isEmpty)
            let time = try ContinuousClock().measure {
                program.send(SIGTERM)
                let status = try program.wait().status
                #expect(status == 143)
            }
            #expect(folder.contents.isEmpty)
            return time
        }
    }

    @Test(arguments: ["link", "unlink"])
    func `a signal stops also the copying of a large movie, and leaves nothing of it`(command: String) throws {
        try SamplePair.copyConverted(to: folder.url)
        // More media, of a file system's zeros.
        let movie = try FileHandle(forWritingTo: folder.url.appendingPathComponent("beach.MOV"))
        let size = try movie.seekToEnd()
        try movie.write(contentsOf: Data([0x10, 0, 0, 0]) + Data("mdat".utf8))
        try movie.truncate(atOffset: size + 0x1000_0000)
        try movie.close()
        let program = try Program.start([command, "beach.JPG", "-o", "out"], in: folder.url)
        while program.isRunning, !folder.contents.contains(where: { $0.hasSuffix("/new/beach.MOV") }) { usleep(1_000) }
        program.send(SIGTERM)
        let outcome = try program.wait()
        // Where the file system shares what it copies, it may be done.
        #expect([0, 143].contains(outcome.status), "\(outcome.errors)")
        #expect(!folder.contents.contains { $0.contains(".livephoto-") })
        if outcome.status == 143 {
            #expect(outcome.errors == "stopped; nothing was written\n")
            #expect(folder.contents == ["beach.JPG", "beach.MOV"])
        }
    }

    /// Which of a pair's files are in their places.
    private var published: [String] {
        folder.contents.filter { $0 == "out/beach.JPG" || $0 == "out/beach.MOV" }
    }

    @Test(.seeded, arguments: [SIGKILL, SIGTERM])
    func `whenever a run is ended, both files are there or neither`(signal: Int32) throws {
        let clip = try SampleClips.beach()
        let whole = try ContinuousClock().measure {
            let status = try Program.livephoto("convert", clip, "-o", "whole", in: folder.url).status
            #expect(status == 0)
        }
        var random = SeededGenerator()
        for _ in 0..<5 {
            let delay = whole * Double.random(in: 0.2...1.1, using: &random)
            let program = try Program.start(["convert", clip, "-o", "out"], in: folder.url)
            usleep(UInt32(delay / .microseconds(1)))
            program.send(signal)
            let status = try program.wait().status
            #expect([0, -signal, 128 + signal].contains(status), "after \(delay)")
            if published == ["out/beach.MOV"] {
                // Killed between the two: the hidden folder still has the photo, and the next run puts it there.
                let next = try Program.livephoto("convert", clip, "-o", "out", "--name", "next", in: folder.url)
                #expect(next.status == 0)
            }
            let files = published
            #expect(files.isEmpty || files.count == 2, "\(files) after \(delay)")
            if files.isEmpty { continue }
            let photo = try Reader.tags(folder.path("out/beach.JPG"))
            let movie = try Reader.tags(folder.path("out/beach.MOV"))["ContentIdentifier"] as? String
            #expect(movie != nil && movie == (photo["ContentIdentifier"] ?? photo["MediaGroupUUID"]) as? String)
            for file in files { try FileManager.default.removeItem(atPath: folder.path(file)) }
        }
        #expect(try Program.livephoto("convert", clip, "-o", "out", in: folder.url).status == 0)
        #expect(published.count == 2 && !folder.contents.contains { $0.hasPrefix("out/.") })
    }
}
