import LivePhotoBatch
import LivePhotoRequests
import SystemPackage
import TestSupport
import Testing

@Suite struct JobFileTests {
    @Test(arguments: RightJobFile.all)
    func `each entry becomes the job that it asks for`(_ file: RightJobFile) throws {
        #expect(try JobFile(yaml: file.text).jobs.map(\.summary) == file.jobs)
    }

    @Test func `paths begin at the job file's folder, and output is as the file says`() throws {
        let text = "version: 1\noutput: out\njobs:\n- {input: a.mp4, photo: p.jpg}\n- {input: /b.mp4}"
        let file = try JobFile(yaml: text, folder: "lists")
        #expect(file.output == "lists/out")
        #expect(file.jobs.map(\.summary) == ["a: lists/a.mp4 -> a photo=lists/p.jpg", "b: /b.mp4 -> b"])
        #expect(try JobFile(yaml: "version: 1\njobs: [{input: a.mp4}]").output == nil)
    }

    @Test(arguments: ["clip.mp4", "./clip.mp4", "../LIST/clip.mp4"])
    func `a clip beside the job file has a folder with a name, however it is written`(_ input: String) throws {
        let folder = try TemporaryFolder()
        let name = try #require(folder.path.lastComponent?.string)
        let text = "version: 1\njobs: [{input: \(input), output: '{folder}'}]".replacing("LIST", with: name)
        #expect(try JobFile(yaml: text, folder: folder.path).jobs.map(\.folder.string) == [name])
        let inCurrent = try JobFile(yaml: "version: 1\njobs: [{input: ./clip.mp4, output: '{folder}'}]")
        #expect(![".", ""].contains(inCurrent.jobs.first?.folder.string))
    }

    private static let sameJobs = [
        """
        version: 1
        output: out
        defaults:
          fps: 15
        jobs:
        - input: a.mp4
          still: 50%
        - input: ünï 🎉.mp4
          before: 1
          output: sub
        """,
        """
        {
        \t"version": 1, "output": "out",
        \t"defaults": {"fps": 15},
        \t"jobs": [
        \t\t{"input": "a.mp4", "still": "50%"},
        \t\t{"input": "\\u00fcn\\u00ef \\ud83c\\udf89.mp4", "before": 1, "output": "sub"}
        \t]
        }
        """,
        """
        {"version":1,"output":"out","defaults":{"fps":15},"jobs":[{"input":"a.mp4","still":"50%"},\
        {"input":"ünï 🎉.mp4","before":1,"output":"s\\u0075b"}]}
        """,
        """
        {"version":1,"output":"out","defaults":{"fps":15}}
        {"input":"a.mp4","still":"50%"}

        {"input":"ünï 🎉.mp4","before":1,"output":"sub"}
        """,
    ]

    @Test(arguments: sameJobs, [("", "\n"), ("\u{FEFF}", "\n"), ("", "\r\n"), ("\u{FEFF}", "\r\n")])
    func `YAML, JSON and JSON lines of the same jobs are the same jobs`(
        _ text: String, _ form: (mark: String, end: String)
    ) throws {
        let file = try JobFile(yaml: form.mark + text.replacing("\n", with: form.end) + form.end)
        #expect(file.output == "out")
        #expect(
            file.jobs.map(\.summary) == [
                "a: a.mp4 -> a fps=15 still=50%", "sub/ünï 🎉: ünï 🎉.mp4 -> sub/ünï 🎉 before=1 fps=15",
            ])
        #expect(try Set(file.jobs.map(\.preset)) == [PresetLibrary().preset(named: "classic").yaml])
    }

    @Test(arguments: [
        "{\"input\": \"a.mp4\"}", "{\"input\": \"a.mp4\"}\n", " {\"input\": \"a.mp4\", \"output\": \"jobs\"}",
    ])
    func `one line of JSON lines is read without its file's name`(_ text: String) throws {
        #expect(try JobFile(yaml: text).jobs.map(\.input) == ["a.mp4"])
    }
}

extension Job {
    /// As in `RightJobFile`.
    var summary: String {
        guard let node = try? YAMLNode(yaml: Array(options.utf8), file: id), case .mapping(let entries) = node.content
        else { return "unreadable options: \(options)" }
        let others = entries.compactMap { entry -> String? in
            if entry.key == "edit" { return " edit=\(entry.value.json.filter { $0 != "\"" })" }
            guard !["id", "input", "movie", "output", "name"].contains(entry.key),
                case .text(let text) = entry.value.content
            else { return nil }
            return " \(entry.key)=\(text)"
        }
        return "\(id): \(input) -> \(folder.appending(name))\(others.sorted().joined())"
    }
}
