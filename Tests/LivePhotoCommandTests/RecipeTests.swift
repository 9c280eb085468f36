import Foundation
import TestSupport
import Testing

/// `edit --recipe`, `--save-recipe`, and the recipes beside edited pairs.
@Suite struct RecipeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SamplePair.copyConverted(to: folder.url)
    }

    private func run(_ arguments: String...) throws -> Outcome { try Program.livephoto(arguments, in: folder.url) }

    private func write(_ text: String, to name: String) throws { try folder.write(text, to: name) }

    private func settings(_ name: String) throws -> [String] {
        try folder.text(name).split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    @Test(arguments: [
        ["--still", "0.4", "--no-audio", "--end", "2.5"], ["--exposure", "-0.5", "--fill", "1:1", "--start", "#3"],
        ["--volume", "0.5", "--speed", "2"],
    ])
    func `the recipe beside an edited pair makes the same edit of the same files`(options: [String]) throws {
        let identifier = ["--keep-id", "--json"]
        let first = try Program.livephoto(["edit", "beach.JPG", "-o", "one"] + options + identifier, in: folder.url)
        #expect(first.status == 0 && first.output.contains("\"recipe\":\"one/beach.edit.yaml\""), "\(first)")
        let text = try folder.text("one/beach.edit.yaml")
        #expect(text.hasPrefix("# The edit of beach.JPG and beach.MOV. Apply it"))
        #expect(try settings("one/beach.edit.yaml").count == options.count { $0.hasPrefix("--") })
        let second = try run("edit", "beach.MOV", "--recipe", "one/beach.edit.yaml", "-o", "two", "--keep-id")
        #expect(second.status == 0, "\(second.errors)")
        for name in ["beach.JPG", "beach.edit.yaml"] {
            #expect(try folder.files["one/\(name)"] == folder.files["two/\(name)"], "\(name)")
        }
        #expect(try media("one/beach.MOV") == media("two/beach.MOV"))
    }

    /// The decoded pictures and sound as hashes: with several threads, x264 sometimes writes the same pictures in other bytes.
    private func media(_ movie: String) throws -> String {
        try Program.run([
            "ffmpeg", "-v", "error", "-nostdin", "-i", folder.path(movie), "-map", "0:v", "-map", "0:a?", "-f",
            "streamhash", "-",
        ])
    }

    @Test func `a recipe is applied to several pairs, and options change it`() throws {
        for ending in ["JPG", "MOV"] {
            try FileManager.default.copyItem(
                atPath: folder.path("beach.\(ending)"), toPath: folder.path("second.\(ending)"))
        }
        try write("still: 0.4\nmute: true\nend: 2.5\n", to: "r.yaml")
        let outcome = try run(
            "edit", "beach.JPG", "second.JPG", "--recipe", "r.yaml", "--still", "0.6", "-o", "out", "--save-recipe",
            "all.yaml")
        #expect(outcome.status == 0 && outcome.output.split(separator: "\n").count == 4, "\(outcome.errors)")
        for name in ["out/beach.edit.yaml", "out/second.edit.yaml", "all.yaml"] {
            #expect(try settings(name) == ["still: 0.6", "end: 2.5", "no-audio: true"], "\(name)")
        }
        // Folders with them are read as if they were not there.
        #expect(try run("verify", "out").output == "2 pairs: 2 good\n")
        let linked = try run("link", "--by-name", "out", "--in-place", "--dry-run")
        #expect(linked.status == 0 && !(linked.output + linked.errors).contains("yaml"), "\(linked)")
        let converted = try run("convert", "out", "-o", "none")
        #expect(!(converted.output + converted.errors).contains("yaml"), "\(converted)")
    }

    @Test func `existing files are replaced only if that is asked for`() throws {
        try write("mine", to: "out/beach.edit.yaml")
        try write("mine", to: "r.yaml")
        for options in [["-o", "out"], ["-o", "new", "--save-recipe", "r.yaml"], ["-o", "out", "--exposure", "1"]] {
            let before = try folder.files
            let outcome = try Program.livephoto(["edit", "beach.JPG", "--no-audio"] + options, in: folder.url)
            #expect(outcome.status == 73 && outcome.errors.contains("yaml: already exists"), "\(outcome.errors)")
            #expect(try folder.files == before)
        }
        let forced = try run("edit", "beach.JPG", "--no-audio", "-o", "out", "--force", "--save-recipe", "r.yaml")
        #expect(forced.status == 0, "\(forced.errors)")
        #expect(try settings("out/beach.edit.yaml") == ["no-audio: true"] && settings("r.yaml") == ["no-audio: true"])
        let input = try run("edit", "beach.JPG", "--no-audio", "-o", "x", "--force", "--save-recipe", "beach.JPG")
        #expect(input.status == 73 && input.errors.contains("would replace the file"), "\(input.errors)")
        let standard = try run("edit", "beach.JPG", "--no-audio", "-o", "x", "--save-recipe", "-")
        #expect(standard.status == 64, "\(standard.errors)")
    }

    @Test(arguments: [["--no-audio"], ["--volume", "2"]])
    func `in place, the recipe is replaced, and undoing brings back what was there`(options: [String]) throws {
        for old in [nil, "mine"] as [String?] {
            if let old { try write(old, to: "beach.edit.yaml") }
            let original = try folder.files
            for number in 1...2 {
                let edit = ["edit", "beach.JPG", "--in-place", "--still", "0.\(number)"] + options
                #expect(try Program.livephoto(edit, in: folder.url).status == 0)
                #expect(try settings("beach.edit.yaml").first == "still: 0.\(number)")
            }
            let undone = try run("undo", "beach.MOV")
            #expect(undone.status == 0 && undone.errors.contains("restored"), "\(undone.errors)")
            #expect(try folder.files == original)
        }
    }

    @Test func `a recipe that was changed since stays, and one that cannot be written is a warning`() throws {
        #expect(try run("edit", "beach.JPG", "--no-audio", "--in-place").status == 0)
        try write("changed", to: "beach.edit.yaml")
        #expect(try run("undo", "beach.JPG").status == 0)
        #expect(try folder.text("beach.edit.yaml") == "changed")
        try FileManager.default.removeItem(atPath: folder.path("beach.edit.yaml"))
        let original = try folder.files
        try write("", to: "beach.edit.yaml/inside")
        for option in ["--no-audio", "--volume=2"] {
            let outcome = try run("edit", "beach.JPG", option, "--in-place")
            #expect(
                outcome.status == 0 && outcome.errors.contains("warning: the settings of the edit are not stored"),
                "\(outcome)")
            #expect(try run("verify", "beach.JPG").status == 0)
            #expect(try run("undo", ".").status == 0)
        }
        try FileManager.default.removeItem(atPath: folder.path("beach.edit.yaml"))
        #expect(try folder.files == original)
    }

    @Test func `changes of dates and identifiers alone have no recipe`() throws {
        #expect(try run("edit", "beach.JPG", "--date", "2024-05-06T07:08:09+02:00", "-o", "out").status == 0)
        #expect(folder.contents.filter { $0.hasSuffix(".yaml") }.isEmpty)
    }
}
