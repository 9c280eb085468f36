import Foundation
import TestSupport
import Testing

/// `--log-format json`: each line on stderr is an object.
@Suite struct JSONLogTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("text", to: "bad.mp4")
        try folder.write("nonsense: [", to: "wrong.yaml")
        try folder.write("version: 1\noutput: out\njobs:\n- input: bad.mp4\n- input: gone.mp4\n", to: "jobs.yaml")
    }

    private struct Line: Decodable {
        let time: String
        let level: String
        var code: String?
        var file: String?
        var message: String?
        var progress: Progress?
    }

    private struct Progress: Decodable {
        let stage: String?
        let total: Int?
    }

    private func lines(_ outcome: Outcome) throws -> [Line] {
        try outcome.errors.split(separator: "\n").map { text in
            let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
            #expect(line.time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(text)")
            #expect(
                (line.progress == nil) == (line.message != nil) && (line.progress != nil) == (line.level == "progress"))
            return line
        }
    }

    @Test(
        arguments: [
            ("convert bad.mp4", 65, "error", "unusableMedia", "bad.mp4", "bad.mp4: is not a video"),
            ("convert gone.mp4", 66, "error", "noInput", "gone.mp4", "gone.mp4: no such file"),
            ("convert gone.mp4 bad.mp4", 1, "error", "noInput", "gone.mp4", "gone.mp4: no such file"),
            ("convert gone.mp4 --verbose", 66, "debug", nil, nil, "caused by: "),
            ("convert bad.mp4 --bogus", 64, "error", "invalidRequest", nil, "unknown option '--bogus'"),
            ("bogus", 64, "error", "invalidRequest", nil, "'bogus' is not a command"),
            ("verify gone.JPG", 66, "error", "noInput", "gone.JPG", "gone.JPG: no such file"),
            ("batch wrong.yaml", 64, "error", "invalidRequest", "wrong.yaml", "wrong.yaml:"),
            ("batch jobs.yaml", 1, "error", "noInput", "gone.mp4", "gone: gone.mp4: no such file"),
            ("batch jobs.yaml", 1, "error", "unusableMedia", "bad.mp4", "bad: bad.mp4: is not a video"),
            ("batch jobs.yaml", 1, "info", nil, nil, "0 done, 2 failed; 2 jobs in"),
            ("batch jobs.yaml --metrics none/m.prom", 1, "warning", nil, nil, "none/m.prom: cannot be created"),
            ("report jobs.yaml", 1, "note", nil, nil, "'livephoto report' is now 'livephoto batch report'"),
        ] as [(String, Int32, String, String?, String?, String)])
    func `a fault is a line with its level, code, file and sentence`(
        command: String, status: Int32, level: String, code: String?, file: String?, start: String
    ) throws {
        let outcome = try Program.livephoto(
            command.split(separator: " ").map(String.init) + ["--log-format", "json"], in: folder.url)
        #expect(outcome.status == status, "\(outcome)")
        let lines = try lines(outcome)
        let found = lines.contains {
            $0.level == level && $0.code == code && $0.file == file && $0.message?.hasPrefix(start) == true
        }
        #expect(found, "\(outcome.errors)")
    }

    @Test func `a wrong format is an error in words`() throws {
        let outcome = try Program.livephoto(["convert", "bad.mp4", "--log-format", "xml"], in: folder.url)
        #expect(outcome.status == 64 && outcome.errors.hasPrefix("error: "), "\(outcome)")
    }

    @Test func `lines of progress are in the same form`() throws {
        let outcome = try Program.livephoto(
            ["batch", "jobs.yaml", "--log-format=json", "--progress", "json"], in: folder.url)
        let progress = try lines(outcome).filter { $0.level == "progress" }
        #expect(
            progress.last?.progress?.total == 2
                && progress.compactMap(\.progress).allSatisfy { $0.total == ($0.stage == "reading" ? nil : 2) },
            "\(outcome.errors)")
    }
}
