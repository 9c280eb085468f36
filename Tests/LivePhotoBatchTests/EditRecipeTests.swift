import Foundation
import LivePhotoBatch
import LivePhotoRequests
import SystemPackage
import TestSupport
import Testing

/// The files with the settings of edits.
@Suite struct EditRecipeTests {
    private static func recipe(_ yaml: String) throws -> EditRecipe {
        let folder = try TemporaryFolder(["r.yaml": yaml])
        return try EditRecipe(contentsOf: folder.path.appending("r.yaml"))
    }

    private static func lines(_ recipe: EditRecipe) -> String { recipe.yaml(comments: []) }

    @Test(arguments: EditRecipe.settings.map(\.path))
    func `each setting of an edit is read from a recipe, written to one, and checked`(_ path: String) throws {
        let setting = try #require(EditRecipe.settings.first { $0.path == path })
        let (key, value) = (try #require(setting.jobKey), try #require(SettingTests.values[path]))
        let recipe = try Self.recipe("# a comment\n\(key): '\(value)'\n")
        #expect(recipe.given.map(\.text) == [value] && recipe.given.first?.setting.path == path)
        #expect(try Self.recipe(recipe.yaml(comments: ["of a.JPG\nand more"])) == recipe)
        #expect(recipe.isEncoded == (setting.section != "window"))
        let (preset, _) = try recipe.applied(to: PresetLibrary().preset(named: "classic")) {
            LivePhotoError(.invalidValue, nil, "\($0.path): \($1)")
        }
        #expect(setting.text(preset) == value)
        let error = #expect(throws: LivePhotoError.self) { try Self.recipe("no-audio: true\n\(key): '?'\n") }
        let message = error?.description ?? ""
        #expect(message.contains("r.yaml:2:\(key.count + 3): \(key): '?' is not "), "\(message)")
    }

    @Test func `each option of edit that is a setting can be in a recipe`() throws {
        let help = try Program.livephoto("edit", "--help").output
        let words = Set(help.split { " \n.,".contains($0) }.map(String.init))
        for setting in Setting.all where setting.option != nil {
            let isInRecipes = EditRecipe.settings.contains { $0.path == setting.path }
            // The options of the worker change nothing about the result.
            guard setting.section != "limits" else { continue }
            #expect(words.contains("--\(setting.optionName)") == isInRecipes, "\(setting.path)")
        }
    }

    @Test(arguments: [
        ("exposure: -0.5\nno-audio: true\nstill: '#3'\n", "still: \"#3\"\nexposure: -0.5\nno-audio: true\n"),
        ("{\"crop\": \"0,0,16,16\", \"fill\": \"3:4\"}", "crop: 0,0,16,16\nfill: \"3:4\"\n"),
        ("exposure: null\nno-audio: ~\nwarmth:\ntint: 3", "tint: 3\n"), ("no-audio: false", ""),
        ("mute: true", "no-audio: true\n"),
    ])
    func `a recipe is YAML or JSON, null is unset, and the order is always the same`(text: String, written: String)
        throws
    {
        #expect(try Self.lines(Self.recipe(text)) == written)
    }

    @Test(arguments: [
        ("expsure: 1", ":1:1: unknown key 'expsure'; did you mean 'exposure'?"),
        ("before: 1", ":1:1: unknown key 'before'"),
        ("still: 1\nexposure: [1]", ":2:11: exposure: expected a value, found a list"),
        ("no-audio: yes", ":1:11: no-audio: 'yes' is neither true nor false"),
        ("fill: 1:1\nfit: 1:1", ":2:6: fit: fill and fit exclude each other"),
        ("start: 1\nend: 2\nduration: 1", ":3:11: duration: start, end and duration exclude each other"),
        ("- exposure: 1", ":1:1: expected keys with values, found a list"),
        ("exposure: 1\nexposure: 2", ":1:1: 'exposure' given more than once"), ("exposure: &a 1", ":1:11: "),
        ("# nothing", ": the file is empty"),
        ("\u{7}", ":1:1: the character"),
    ])
    func `what is wrong in a recipe is said with its place`(text: String, message: String) throws {
        let error = #expect(throws: LivePhotoError.self) { try Self.recipe(text) }
        #expect(error?.description.contains("r.yaml\(message)") == true, "\(error as Any)")
        #expect(error?.code.general == .invalidRequest)
    }

    @Test(arguments: [
        ("exposure: 1\nno-audio: true", "exposure: 2", "exposure: 2\nno-audio: true\n"),
        ("fill: 1:1", "fit: 3:4", "fit: \"3:4\"\n"), ("fit: 1:1", "fill: 3:4", "fill: \"3:4\"\n"),
        ("start: 1\nend: 2", "duration: 3", "start: 1\nduration: 3\n"),
        ("start: 1\nduration: 2", "end: 3", "start: 1\nend: 3\n"),
        ("end: 1\nduration: 2", "start: 3\nduration: 1", "start: 3\nduration: 1\n"),
        ("still: 1", "no-audio: true", "still: 1\nno-audio: true\n"),
        ("volume: 0.5", "no-audio: true", "no-audio: true\n"), ("no-audio: true", "volume: 0.5", "volume: 0.5\n"),
    ])
    func `options take precedence over a recipe, and over what contradicts them`(
        recipe: String, options: String, result: String
    ) throws {
        #expect(try Self.lines(Self.recipe(recipe).overridden(by: Self.recipe(options))) == result)
    }

    @Test func `a recipe that cannot be read is said to be so`() {
        let error = #expect(throws: LivePhotoError.self) { try EditRecipe(contentsOf: "not-there.yaml") }
        #expect(error?.code == .noInput && error?.description == "not-there.yaml: no such file")
    }
}
