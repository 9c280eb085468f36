import Foundation
import TestSupport
import Testing

/// Changes in place that are killed.
@Suite struct KillTests {
    private let folder: TemporaryFolder
    /// Of the movie with and without its link, as ffmpeg reads it.
    private let media: String

    init() throws {
        folder = try TemporaryFolder()
        try FolderSamples.write("tree/1", to: folder)
        media = try Self.media(folder.path("tree/1.mov"))
    }

    private static func media(_ movie: String) throws -> String {
        let outcome = try Program.system(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-i", movie, "-map", "0:v", "-map", "0:a", "-c", "copy"]
                + ["-f", "streamhash", "-"])
        try #require(outcome.status == 0 && outcome.output.count > 100, "\(outcome.errors)")
        return outcome.output
    }

    private func run(_ arguments: [String]) throws -> Outcome { try Program.livephoto(arguments, in: folder.url) }

    /// Both files, apart from what is hidden.
    private var pair: [Data] {
        get throws { try names.map { try Data(contentsOf: folder.url.appendingPathComponent("tree/\($0)")) } }
    }

    private let names = ["1.jpg", "1.mov"]

    /// Brings the tree back to these two files.
    private func reset(to pair: [Data]) throws {
        try FileManager.default.removeItem(atPath: folder.path("tree"))
        try FileManager.default.createDirectory(atPath: folder.path("tree"), withIntermediateDirectories: false)
        for (name, data) in zip(names, pair) {
            try data.write(to: folder.url.appendingPathComponent("tree/\(name)"))
        }
    }

    /// Runs the program and kills it a little after it has begun to write.
    ///
    /// - Returns: whether it was killed before its end.
    private func kill(_ arguments: [String], afterMicroseconds delay: UInt32) throws -> Bool {
        let program = try Program.start(arguments, in: folder.url)
        while program.isRunning,
            try FileManager.default.contentsOfDirectory(atPath: folder.path("tree")).count == names.count
        {
            usleep(50)
        }
        usleep(delay)
        program.send(SIGKILL)
        return try program.wait().status == -SIGKILL
    }

    @Test(arguments: [
        ["link", "tree/1.jpg", "--in-place", "--still", "50%"], ["unlink", "tree/1.jpg", "--in-place"],
        ["link", "--by-name", "tree", "--in-place", "--still", "50%"],
    ])
    func `killed while it writes, both files are whole, and another run completes it, or undoing takes it back`(
        arguments: [String]
    ) throws {
        let isUnlinking = arguments[0] == "unlink"
        let isOfFolder = arguments.contains("--by-name")
        if isUnlinking { #expect(try run(["link", "tree/1.jpg", "--in-place", "--still", "50%"]).status == 0) }
        let old = try pair
        var killed = 0
        for delay in [0, 800, 2_000, 5_000] as [UInt32] {
            try reset(to: old)
            if try kill(arguments, afterMicroseconds: delay) { killed += 1 }
            func isLinked() throws -> [Bool] {
                let inspected = try run(["inspect", "--json", "tree/1.jpg", "tree/1.mov"])
                let lines = inspected.output.split(separator: "\n")
                #expect(inspected.status == 0 && lines.count == 2, "\(inspected.errors)")
                #expect(lines.allSatisfy { $0.contains("\"problems\":[]") }, "\(inspected.output)")
                return lines.map { $0.contains("\"contentIdentifier\":") }
            }
            // Killed between the two files, one is new and one is old; the next run restores both.
            _ = try isLinked()
            if !isOfFolder, delay == 800 {
                _ = try run(["undo", "tree"])
                let linked = try isLinked()
                #expect(linked == [true, true] || linked == [false, false])
                if linked[0] == isUnlinking { #expect(try pair == old) }
            }
            #expect(try Self.media(folder.path("tree/1.mov")) == media)
            if isOfFolder, delay != 2_000 {
                let undone = try run(["undo", "tree"])
                #expect(undone.status == 0, "\(undone.errors)")
                #expect(try pair == old)
            } else {
                #expect(try run(arguments).status == 0)
                #expect(try run(["verify", "tree/1.mov"]).status == (isUnlinking ? 1 : 0))
            }
        }
        #expect(killed > 0)
    }
}
