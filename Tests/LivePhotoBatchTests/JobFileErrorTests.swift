import LivePhotoBatch
import LivePhotoRequests
import SystemPackage
import TestSupport
import Testing

@Suite struct JobFileErrorTests {
    @Test(arguments: WrongJobFile.all)
    func `what is wrong in a job file is said in one sentence, with its place`(_ file: WrongJobFile) throws {
        let error = #expect(throws: LivePhotoError.self) { try JobFile(yaml: file.text) }
        #expect(error?.description == file.message)
    }

    @Test func `an error in a preset's own file is said at its place there`() throws {
        let folder = try TemporaryFolder(["mine.yaml": "extends: classic\nname: mine\nvideo:\n  crf: best\n"])
        let error = #expect(throws: LivePhotoError.self) {
            try JobFile(
                yaml: "version: 1\njobs:\n- {input: a.mp4, preset: ./mine.yaml}", folder: folder.path)
        }
        let file = folder.path.appending("mine.yaml")
        #expect(
            error?.description
                == "\(file):4:8: video.crf: 'best' is not a CRF; write a number from 1 to 51 with at most two decimals")
    }

    @Test(arguments: [
        ("not-there.yaml", "not-there.yaml: no such file"),
        ("/", "/: is a folder, not a file"),
    ])
    func `a job file that cannot be read is said to be so`(_ path: FilePath, _ message: String) throws {
        let error = #expect(throws: LivePhotoError.self) { try JobFile(path) }
        #expect(error?.code == .noInput)
        #expect(error?.description == message)
    }

    @Test(arguments: [
        // Line 3 is blank, and counts.
        ("{\"input\": \"a.mp4\"}\n\n{\"input\": \"b.mp4\", \"fps\": \"fast\"}\n", "3:27: fps: 'fast' is not a range"),
        ("{\"input\": \"a.mp4\"}\r\n{\"imput\": \"b.mp4\"}\r\n", "2:2: unknown key 'imput'; did you mean 'input'?"),
        (
            "{\"input\": \"a.mp4\"}\n{\"input\": \"b\n{\"input\": \"c.mp4\"}\n",
            "2:13: not valid YAML: found unexpected end of stream (while scanning a quoted scalar that began at 2:11)"
        ),
        ("{\"input\": \"a.mp4\"}\n[1]\n", "2:1: expected keys with values, found a list"),
        ("{\"version\": 2}\n{\"input\": \"a.mp4\"}\n", "1:13: version: '2' is not a supported version; write 1"),
        (
            "{\"version\": 1, \"jobs\": []}\n{\"input\": \"a.mp4\"}\n",
            "1:24: jobs: JSON lines have each job on a line of its own, not in 'jobs'"
        ),
        ("{\"input\": \"a.mp4\"}\n{\"version\": 1}\n", "2:2: unknown key 'version'"),
        ("{\"input\": \"\\ud83c.mp4\"}\n{\"input\": \"a.mp4\"}\n", "1:14: not valid YAML: "),
    ])
    func `what is wrong in JSON lines is said with the line`(_ text: String, _ message: String) throws {
        let error = #expect(throws: LivePhotoError.self) { try JobFile(yaml: text, name: "jobs.jsonl") }
        let description = try #require(error?.description)
        #expect(description.hasPrefix("jobs.jsonl:" + message), "\(description)")
    }

    @Test func `a line of more than a mebibyte is refused by its number`() throws {
        let long = "{\"input\": \"\(String(repeating: "a", count: 1 << 20)).mp4\"}"
        let error = #expect(throws: LivePhotoError.self) {
            try JobFile(yaml: "{\"input\": \"a.mp4\"}\n\(long)\n", name: "jobs.jsonl")
        }
        #expect(error?.description == "jobs.jsonl:2:1: the line is longer than 1048576 bytes")
    }

    @Test(arguments: [
        LongText(repeating: "[", count: 100_000), LongText(repeating: "{\"a\":", count: 100_000),
        LongText("version: 1\njobs:\n" + String(repeating: "- ", count: 100_000)),
    ])
    func `a hostile job file is refused at once`(_ long: LongText) throws {
        let text = long.text
        let begin = ContinuousClock.now
        #expect(throws: LivePhotoError.self) { try JobFile(yaml: text) }
        #expect(ContinuousClock.now - begin < .seconds(5))
    }
}
