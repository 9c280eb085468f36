import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

/// Reading and writing the settings of an edit.
struct RecipeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Make the changes of this recipe, a file of YAML or JSON. Options take precedence.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var recipe: String?

    @Option(
        help: ArgumentHelp("Also write all settings of the edit, and of its recipe, to this file.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var saveRecipe: String?

    /// Whether none of these options was given.
    var isEmpty: Bool { recipe == nil && saveRecipe == nil }

    /// The given recipe; nil for none.
    ///
    /// - Throws: `LivePhotoError` with the place of the error.
    func read() throws -> EditRecipe? {
        guard let recipe else { return nil }
        guard !recipe.isEmpty else { throw UsageError("--recipe: write the name of a file") }
        return try EditRecipe(contentsOf: FilePath(argument: recipe))
    }

    /// Checks before any work that the recipe can be saved.
    ///
    /// - Parameters:
    ///   - recipe: what would be saved.
    ///   - inputs: the files that must not be replaced.
    func check(_ recipe: EditRecipe, inputs: [FilePath], replacing: Bool) throws {
        guard let saveRecipe else { return }
        guard !["", "-"].contains(saveRecipe) else {
            throw UsageError("--save-recipe: write the name of a file; standard output has the paths of the pairs")
        }
        guard !recipe.isEmpty else {
            throw UsageError(
                "--save-recipe: nothing given is part of a recipe; dates and identifiers belong to one pair")
        }
        try StagedFile.check(FilePath(argument: saveRecipe), inputs: inputs, replacing: replacing)
    }

    /// Writes the recipe if that was asked for.
    func save(_ recipe: EditRecipe, replacing: Bool) throws {
        guard let saveRecipe else { return }
        let file = try StagedFile(FilePath(argument: saveRecipe), replacesExisting: replacing)
        try file.write(Array(recipe.yaml(comments: ["Written by livephoto edit. " + EditRecipe.hint]).utf8))
        try file.publish()
    }
}
