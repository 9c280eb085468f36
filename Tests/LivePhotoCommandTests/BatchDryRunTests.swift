import TestSupport
import Testing

/// What `batch --dry-run` finds wrong.
@Suite struct BatchDryRunTests {
    @Test(
        arguments: [
            (jobs: "- input: good.mp4", status: 0, listed: "good.mp4 -> ./good.MOV\n", errors: ""),
            (
                "- {input: good.mp4, stil: 3}\n- {input: good.mp4, preset: gone}\n- input: good.mp4", 64,
                "good.mp4 -> ./good.MOV\n",
                """
                error: jobs.yaml:3:21: unknown key 'stil'; did you mean 'still'?
                error: jobs.yaml:4:29: no preset is named 'gone'; there are classic, smooth, compact, modern and wallpaper

                """
            ),
            (
                "- input: gone.mp4\n- {input: good.mp4, photo: none.jpg}\n- {movie: good.mp4, photo: none.jpg, name: pair}\n"
                    + "- {input: good.mp4, lut: none.cube, name: graded}", 1,
                "gone.mp4 -> ./gone.MOV\ngood.mp4 -> ./good.MOV\ngood.mp4 -> ./pair.MOV\ngood.mp4 -> ./graded.MOV\n",
                """
                error: gone: gone.mp4: no such file
                error: good: none.jpg: no such file
                error: pair: none.jpg: no such file
                error: graded: none.cube: no such file

                """
            ),
            ("- {inptu: good.mp4}", 64, "", "error: jobs.yaml:3:4: unknown key 'inptu'; did you mean 'input'?\n"),
        ] as [(jobs: String, status: Int32, listed: String, errors: String)])
    func `all errors of a job file and all missing inputs are found at once`(
        jobs: String, status: Int32, listed: String, errors: String
    ) throws {
        let folder = try TemporaryFolder(["jobs.yaml": "version: 1\njobs:\n\(jobs)\n", "good.mp4": "not looked into"])
        let outcome = try Program.livephoto(["batch", "jobs.yaml", "--dry-run"], in: folder.url)
        #expect(outcome.status == status && outcome.output == listed && outcome.errors == errors, "\(outcome)")
        #expect(folder.contents == ["good.mp4", "jobs.yaml"])
    }

    @Test func `a line of JSON lines that cannot be read does not hide the others`() throws {
        let lines = [
            #"{"version":1,"defaults":{"preset":"gone"}}"#, #"{"input":"good.mp4"}"#, "{\"input\":", #"{"input":"x"}"#,
        ]
        let folder = try TemporaryFolder(["jobs.jsonl": lines.joined(separator: "\n") + "\n", "good.mp4": "x"])
        let outcome = try Program.livephoto(["batch", "jobs.jsonl", "--dry-run"], in: folder.url)
        #expect(outcome.status == 64)
        let places = outcome.errors.split(separator: "\n").map { $0.split(separator: " ")[1] }
        #expect(places.map { $0.hasPrefix("jobs.jsonl:1:") } == [true, false, true], "\(outcome.errors)")
    }
}
