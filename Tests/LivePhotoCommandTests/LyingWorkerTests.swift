import Foundation
import TestSupport
import Testing

/// What becomes of a worker's answer in which a value is changed. `Scripts/trial worker-answers` changes every value.
@Suite struct LyingWorkerTests {
    struct Lie: Sendable, CustomTestStringConvertible {
        let command: [String]
        /// sed's command for the worker's output.
        let change: String
        var status: Int32 = 70
        var testDescription: String { "\(command.joined(separator: " ")): \(change)" }
    }

    private static let impossible = "gave an answer with impossible values, which a damaged or malicious file may cause"
    private static let suggest = ["frames", "beach.MOV", "--suggest", "2"]
    private static func export(_ format: String) -> [String] {
        ["export", "beach.JPG", "--as", format, "--size", "160", "-o", "out.\(format)"]
    }

    private static let lies = [
        Lie(command: suggest, change: #"s/"sharpness":[0-9]*/"sharpness":9223372036854775807/"#),
        Lie(command: suggest, change: #"s/"still":"[^"]*"/"still":"1; rm -rf ~ #"/"#),
        Lie(command: suggest, change: #"s/"suggestedStill":"[^"]*"/"suggestedStill":"--help"/"#),
        Lie(
            command: export("webp"),
            change:
                #"s/"duration":{"timescale":[0-9]*,"value":[0-9]*}/"duration":{"timescale":1,"value":-9223372036854775808}/"#
        ),
        Lie(command: export("gif"), change: #"s/"frames":[0-9]*,"parts"/"frames":0,"parts"/"#),
        Lie(command: export("gif"), change: #"s/"width":[0-9]*/"width":9223372036854775807/"#),
        Lie(command: export("frames"), change: #"s/"parts":.[0-9]*/"parts":[-1/"#),
        Lie(
            command: ["verify", "beach.JPG", "beach.MOV", "--pixels"],
            change: #"s/.*"similarity".*/{"similarity":{"_0":1e308}}/"#, status: 0),
        Lie(
            command: ["convert", "beach.MOV", "-o", "out", "--name", "new"],
            change: #"s/"frameCount":[0-9]*/"frameCount":0/"#),
        Lie(command: ["doctor"], change: #"s/"landlock":[0-9]*/"landlock":-9223372036854775808/"#, status: 1),
    ]

    @Test(arguments: lies)
    func `an answer with an impossible value is one error, and nothing is left behind`(lie: Lie) throws {
        let folder = try TemporaryFolder()
        let front = try folder.front(changing: lie.change)
        try SamplePair.copyConverted(to: folder.url)
        let before = folder.contents
        let outcome = try RunningProgram(front, lie.command, in: folder.url).wait()
        #expect(outcome.status == lie.status, "\(outcome.errors)")
        // What cannot be compared or found is a result of `verify` and `doctor`.
        let isResult = [0, 1].contains(lie.status)
        let said = isResult ? outcome.output : outcome.errors
        #expect(said.contains(Self.impossible) && !said.contains("rm -rf"), "\(said)")
        #expect(outcome.errors.split(separator: "\n").count == (isResult ? 0 : 1), "\(outcome.errors)")
        #expect(folder.contents == before)
    }

    @Test func `an error of the worker names a file of the order, without control characters`() throws {
        let folder = try TemporaryFolder()
        let lie = #"{"failure":{"_0":{"code":"unusableMedia","file":"/etc/passwd","reason":"\u001b[2Jis bad"}}}"#
        let front = try folder.front(changing: "s|.*|\(lie.replacing(#"\"#, with: #"\\"#))|")
        try SamplePair.copyConverted(to: folder.url)
        let outcome = try RunningProgram(front, ["convert", "beach.MOV", "-o", "out"], in: folder.url).wait()
        #expect(outcome.status == 65 && outcome.errors == "error: beach.MOV: \\u{1B}[2Jis bad\n", "\(outcome.errors)")
    }

    @Test func `doctor says what is missing: the worker, or a part of FFmpeg`() throws {
        let folder = try TemporaryFolder()
        let front = try folder.front(
            changing:
                #"s/"isPresent":true,\("isRequired":true,"kind":"encoder","name":"libx264"\)/"isPresent":false,\1/"#)
        let incomplete = try RunningProgram(front, ["doctor"], in: folder.url).wait()
        #expect(incomplete.status == 1 && incomplete.errors.isEmpty)
        #expect(
            incomplete.output.contains("\nFFmpeg has no encoder libx264, which every conversion needs (the movie).\n"))
        #expect(incomplete.output.contains("apt install"))
        try FileManager.default.removeItem(
            at: front.deletingLastPathComponent().appendingPathComponent("livephoto-media"))
        let alone = try RunningProgram(front, ["doctor"], in: folder.url).wait()
        #expect(alone.status == 1 && alone.errors.isEmpty)
        #expect(alone.output.contains(/\nworker +MISSING +\(.*livephoto-media: does not exist/))
        #expect(alone.output.hasSuffix("This installation of livephoto is incomplete; install it again.\n"))
        #expect(!alone.output.contains("apt install"))
    }
}

extension TemporaryFolder {
    /// A copy of the program, with a worker whose output is changed.
    fileprivate func front(changing change: String) throws -> URL {
        let home = url.appendingPathComponent("program")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let front = home.appendingPathComponent("livephoto")
        try FileManager.default.copyItem(at: Program.livephoto, to: front)
        try Data(change.utf8).write(to: home.appendingPathComponent("change"))
        let worker = home.appendingPathComponent("livephoto-media")
        let script = """
            #!/bin/bash
            IFS= read -r order
            '\(Program.built("livephoto-media").path)' < <(printf '%s\\n' "$order"; exec cat 2>/dev/null) \
                | sed -f '\(home.path)/change'
            """
        try Data("\(script)\n".utf8).write(to: worker)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker.path)
        return front
    }
}
