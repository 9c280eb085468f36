import Foundation
import LivePhotoBatch
import LivePhotoRequests
import TestSupport
import Testing

/// Holds `Documentation/job-file.schema.json` to what is read.
@Suite struct JobSchemaTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Documentation/job-file.schema.json")

    private static let hasValidator = (try? Program.run(["python3", "-c", "import jsonschema"])) != nil

    /// The names of the properties of the object at a path of the schema.
    private func properties(_ path: String...) throws -> Set<String> {
        var object = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.file))
        for name in path + ["properties"] { object = try #require((object as? [String: Any])?[name], "\(name)") }
        return Set(try #require(object as? [String: Any]).keys)
    }

    @Test func `the schema has exactly the keys that are read`() throws {
        #expect(try properties() == Set(DocumentKey.allCases.map(\.rawValue)))
        #expect(try properties("$defs", "job") == Set(JobKey.names))
        #expect(
            try properties("$defs", "defaults")
                == Set(JobKey.names).subtracting(["id", "input", "movie", "contentIdentifier"]))
        #expect(try properties("$defs", "preset") == Set(Preset.keys))
        #expect(try properties("$defs", "recipe") == Set(EditRecipe.keys))
        for (section, settings) in Setting.sections {
            guard let section else { continue }
            #expect(try properties("$defs", "preset", "properties", section) == Set(settings.map(\.key)))
        }
    }

    @Test func `the schema's file is what follows from the settings`() throws {
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == JobFileSchema.text + "\n")
    }

    /// What programs write: numbers as such.
    private static let json = [
        #"{"version": 1, "jobs": [{"input": "a.mp4", "still": 2.5, "before": 1, "fps": 15}]}"#,
        #"{"version": 1, "jobs": [{"input": "a.mp4", "preset": {"video": {"crf": 18.5}, "photo": {"quality": 90}}}]}"#,
        #"{"version": 1, "defaults": null, "output": null, "jobs": [{"input": "a.mp4", "movie": null, "fps": null}]}"#,
        #"{"version": 1, "jobs": [{"input": "a.JPG", "edit": {"exposure": -0.5, "no-audio": true, "crop": null}}]}"#,
        #"{"version": 1, "jobs": [{"input": "a.mp4", "preset": {"extends": null, "window": {"still": null}}}]}"#,
    ]

    @Test(.enabled(if: hasValidator, "python3-jsonschema is not installed; Scripts/test installs it"))
    func `what is read is valid by the schema, and what it can know to be wrong is not`() throws {
        let right = try RightJobFile.all.map { try Self.asJSON($0.text) } + Self.json
        for text in Self.json { _ = try JobFile(yaml: text) }
        let wrong = try WrongJobFile.all.filter(\.isOfSchema).map { try Self.asJSON($0.text) }
        let unknown = WrongJobFile.all.filter { !$0.isOfSchema }.compactMap { try? Self.asJSON($0.text) }
        let documents = right + wrong + unknown
        let folder = try TemporaryFolder(["documents": documents.joined(separator: "\n")])
        let program = """
            import json, sys, jsonschema
            schema = json.load(open(sys.argv[1]))
            jsonschema.Draft202012Validator.check_schema(schema)
            validator = jsonschema.Draft202012Validator(schema)
            for line in open(sys.argv[2]): print(validator.is_valid(json.loads(line)))
            """
        let verdicts = try Program.run(["python3", "-c", program, Self.file.path, folder.path("documents")])
            .split(separator: "\n")
        try #require(verdicts.count == documents.count)
        for (index, verdict) in verdicts.enumerated() {
            let isRight = index < right.count || index >= right.count + wrong.count
            #expect(verdict == (isRight ? "True" : "False"), "\(documents[index])")
        }
    }

    /// On one line.
    private static func asJSON(_ yaml: String) throws -> String {
        try YAMLNode(yaml: Array(yaml.utf8), file: "jobs.yaml").json
    }
}
