import LivePhotoBatch
import SystemPackage
import TestSupport
import Testing

@Suite struct InputGlobTests {
    private let folder: TemporaryFolder

    init() throws {
        let names = [
            "b.mp4", "a.mp4", "B.MOV", ".hidden.mp4", "[x].mp4", "x.mp4", "é.mp4", "deep/a.mp4", "deep/er/c.mp4",
            "deep/er/c.txt", "deep/er/c.edit.yaml",
            ".secret/d.mp4",
        ]
        folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: names.map { ($0, "") }))
    }

    @Test(arguments: [
        ("*.mp4", ["[x].mp4", "a.mp4", "b.mp4", "x.mp4", "é.mp4"]), ("[ab].mp4", ["a.mp4", "b.mp4"]),
        ("?.mp4", ["a.mp4", "b.mp4", "x.mp4"]),
        ("[!a].mp4", ["b.mp4", "x.mp4"]), ("*.MOV", ["B.MOV"]), (".*.mp4", [".hidden.mp4"]),
        // The file's very name comes before what it would match.
        ("[x].mp4", ["[x].mp4"]), ("[x]*.mp4", ["x.mp4"]), ("deep/*.mp4", ["deep/a.mp4"]),
        ("*/a.mp4", ["deep/a.mp4"]), ("**/c.mp4", ["deep/er/c.mp4"]),
        ("deep/**", ["deep/a.mp4", "deep/er/c.mp4", "deep/er/c.txt"]),
        ("**/**/**/**/**/a.mp4", ["a.mp4", "deep/a.mp4"]), ("**/er/*.mp4", ["deep/er/c.mp4"]),
        (".secret/**", [".secret/d.mp4"]), ("**/er/../a.mp4", ["deep/er/../a.mp4"]),
    ])
    func `wildcards stand for the files that they match, in the order of their names`(
        _ pattern: String, _ files: [String]
    ) throws {
        let text = "version: 1\njobs: [{input: '\(pattern)', name: '{folder}-{stem}-{extension}'}]"
        let jobs = try JobFile(yaml: text, folder: folder.path).jobs
        #expect(jobs.map(\.input.string) == files.map { folder.path($0) })
    }

    @Test(arguments: [
        ("*.mp4", ["a.mp4", "b.mp4"]), ("../[[]x[]] *?/b.*", ["../[x] *?/b.mp4"]), ("gone.mp4", ["gone.mp4"]),
    ])
    func `the names of the job file's own folder are no patterns`(_ input: String, _ files: [String]) throws {
        for name in ["a.mp4", "b.mp4"] { try folder.write("", to: "[x] *?/\(name)") }
        let jobs = try JobFile(
            yaml: "version: 1\njobs: [{input: '\(input)'}]", folder: folder.path.appending("[x] *?")
        ).jobs
        #expect(jobs.map(\.input.string) == files.map { folder.path("[x] *?/\($0)") })
    }
}
