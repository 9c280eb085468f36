import LivePhotoRequests
import MediaModel

/// The JSON Schema (draft 2020-12) of job files: `Documentation/job-file.schema.json`.
package enum JobFileSchema {
    package static let text = #"""
        {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Job file of livephoto batch",
        "description": "A list of Live Photos to make. See Documentation/Batch.md.",
        "type": "object",
        "additionalProperties": false,
        "required": ["version", "jobs"],
        "properties": {
        "version": {"description": "Version of this format.", "enum": [1, "1"]},
        "output": \#(nullable(file, "Output folder, relative to the job file; --output overrides it.")),
        "defaults": \#(reference("defaults")),
        "jobs": {"description": "Jobs, in the order in which they start.", "type": "array", "minItems": 1, \#
        "items": \#(reference("job"))}
        },
        "$defs": {
        \#((values + [job, defaults, preset, recipe]).joined(separator: ",\n"))
        }
        }
        """#

    /// The values of the settings that jobs have, except null.
    private static let values = Setting.all.compactMap { setting in
        setting.jobKey.map { member($0, "{\(setting.jsonSchema)}") }
    }

    private static let job: String = {
        let keys = JobKey.allCases.map { member($0.rawValue, property($0)) }
        let settings = Setting.all.compactMap { setting in
            setting.jobKey.map { member($0, nullable(reference($0), setting.help)) }
        }
        func unused(besides keys: [String]) -> String {
            JobKey.names.filter { !keys.contains($0) }.map { member($0, #"{"type": "null"}"#) }.joined(separator: ", ")
        }
        return member(
            "job",
            """
            {"title": "A job", \
            "description": "One pair, or with wildcards one for each clip. A key with the value null counts as absent \
            and so removes a default.", "type": "object",
            \(object(keys + settings)),
            \(excludingShapes),
            "oneOf": [
            {"title": "A clip to convert", "required": ["input"], \
            "properties": {"input": {"type": "string"}, "movie": {"type": "null"}, "edit": {"type": "null"}}},
            {"title": "A photo and a movie to link", "required": ["movie", "photo"], \
            "properties": {"movie": {"type": "string"}, "photo": {"type": "string"}, \
            \(unused(besides: JobKey.linkNames))}},
            {"title": "A Live Photo to edit", "required": ["input", "edit"], \
            "properties": {"input": {"type": "string"}, "edit": {"type": ["string", "object"]}, \
            \(unused(besides: JobKey.editNames))}}
            ]}
            """)
    }()

    private static let defaults = member(
        "defaults",
        """
        {"title": "Defaults of all jobs", \
        "description": "Values of a job override them. Jobs that link or edit ignore those that they do not accept.", \
        "type": ["object", "null"],
        \(object(JobKey.defaultNames.map { member($0, reference("job/properties/\($0)")) })),
        \(excludingShapes)}
        """)

    private static func property(_ key: JobKey) -> String {
        let schema =
            switch key {
            case .input, .movie, .photo: file
            case .edit: #"{"anyOf": [\#(file), \#(reference("recipe"))]}"#
            case .id: template
            case .output: #"{"allOf": [\#(template), {"not": {"pattern": "^(/|\\.\\.(/|$))"}}]}"#
            case .name: #"{"allOf": [\#(template), {"not": {"pattern": "/|^\\.{1,2}$"}}]}"#
            case .preset: #"{"anyOf": [{"type": "string", "minLength": 1}, \#(reference("preset"))]}"#
            case .date: "{\(RequestedDate.jsonSchema)}"
            case .contentIdentifier: "{\(ContentIdentifier.jsonSchema)}"
            }
        return nullable(schema, key.help)
    }

    private static let preset: String = {
        let text = #"{"type": "string", "minLength": 1}"#
        let keys = Preset.Key.allCases.map {
            member($0.rawValue, $0 == .extends ? nullable(text, "Name or file of the preset to extend.") : text)
        }
        let sections = Setting.sections.flatMap { section, settings in
            let values = settings.map { setting in
                let schema = setting.jobKey.map { reference($0) } ?? "{\(setting.jsonSchema)}"
                return member(setting.key, (setting.isOptional ? nullable : described)(schema, setting.help))
            }
            guard let section else { return values }
            let shapes = section == Setting.fit.section ? ",\n\(excludingShapes)" : ""
            return [member(section, "{\"type\": \"object\",\n\(object(values))\(shapes)}")]
        }
        return member("preset", "{\"title\": \"A preset\", \"type\": \"object\",\n\(object(keys + sections))}")
    }()

    private static let recipe: String = {
        let settings = EditRecipe.settings.compactMap { setting in
            setting.jobKey.map { member($0, nullable(reference($0), setting.help)) }
        }
        let switches = EditRecipe.Switch.allCases.map {
            member($0.rawValue, nullable(#"{"enum": [true, false, "true", "false"]}"#, $0.help))
        }
        return member(
            "recipe",
            """
            {"title": "A recipe", "description": "The settings of an edit.", "type": "object", "minProperties": 1,
            \(object(settings + switches)),
            \(excludingShapes)}
            """)
    }()

    private static let file = #"{"type": "string", "minLength": 1, "pattern": "^[^\\u0000-\\u001f\\u007f]+$"}"#
    /// Text with the placeholders of `NameTemplate`.
    private static let template = #"""
        {"type": "string", "minLength": 1, \#
        "pattern": "^([^{\\u0000-\\u001f\\u007f]|\\{(stem|folder|extension|index|date(:[^}]*)?)\\}|\\{[^}]*$)*$"}
        """#
    private static let excludingShapes = #"""
        "not": {"type": "object", "required": ["fill", "fit"], \#
        "properties": {"fill": {"type": "string"}, "fit": {"type": "string"}}}
        """#

    private static func reference(_ name: String) -> String { ##"{"$ref": "#/$defs/\##(name)"}"## }

    private static func member(_ name: String, _ value: String) -> String { "\(YAMLNode.json(name)): \(value)" }

    private static func described(_ schema: String, _ help: String) -> String {
        "{\(member("description", YAMLNode.json(help))), \(schema.dropFirst())"
    }

    private static func nullable(_ schema: String, _ help: String) -> String {
        described(#"{"anyOf": [\#(schema), {"type": "null"}]}"#, help)
    }

    /// The members of the schema of an object that has only these properties.
    private static func object(_ properties: [String]) -> String {
        "\"additionalProperties\": false,\n\"properties\": {\n\(properties.joined(separator: ",\n"))\n}"
    }
}
