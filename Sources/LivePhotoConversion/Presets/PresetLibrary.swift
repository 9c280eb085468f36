import Bytes
import MediaModel
import PresetFiles
public import SystemPackage

/// The presets that ship with the program, and those that a user keeps in files.
public struct PresetLibrary: Sendable {
    /// The preset of a conversion that names none.
    public static let defaultName = "classic"

    private let shipped: [(name: String, yaml: String)]

    /// The library of the shipped presets, which also reads files.
    public init() {
        self.init(shipped: PresetFiles.all)
    }

    package init(shipped: [(name: String, yaml: String)]) {
        self.shipped = shipped
    }

    /// The shipped presets' names, in the order in which they are listed.
    public var names: [String] { shipped.map(\.name) }

    /// The file of a shipped preset, as it is.
    ///
    /// - Throws: `ConfigurationError` `.unknownPreset`.
    public func yaml(named name: String) throws(ConfigurationError) -> String {
        guard let preset = shipped.first(where: { $0.name == name }) else {
            throw ConfigurationError(.unknownPreset, file: nil, unknown(name))
        }
        return preset.yaml
    }

    /// A shipped preset, whole: what it extends is filled in.
    ///
    /// - Throws: `ConfigurationError` `.unknownPreset`.
    public func preset(named name: String) throws(ConfigurationError) -> Preset {
        try load(.shipped(name), over: [], askedBy: nil)
    }

    /// The preset in a file of YAML or JSON, whole: what it extends is filled in.
    ///
    /// - Throws: `ConfigurationError` with the place of what is wrong.
    public func preset(at path: FilePath) throws(ConfigurationError) -> Preset {
        try load(.file(path), over: [], askedBy: nil)
    }

    /// The preset that a user asks for by name or by file: what has a `/` in it or ends in `.yaml`, `.yml` or `.json` is
    /// a file, all else the name of a shipped preset.
    ///
    /// - Throws: `ConfigurationError`
    public func resolve(_ nameOrFile: String) throws(ConfigurationError) -> Preset {
        try load(Source(nameOrFile, in: nil), over: [], askedBy: nil)
    }

    /// Whether a user who asks for this means a file.
    package static func isFile(_ nameOrFile: String) -> Bool {
        nameOrFile.contains("/") || [".yaml", ".yml", ".json"].contains { nameOrFile.hasSuffix($0) }
    }

    /// Where a preset stands.
    private enum Source: Equatable {
        case shipped(String)
        case file(FilePath)

        /// - Parameter folder: what a relative path begins at; nil for the current folder.
        init(_ nameOrFile: String, in folder: FilePath?) {
            guard PresetLibrary.isFile(nameOrFile) else {
                self = .shipped(nameOrFile)
                return
            }
            let path = FilePath(nameOrFile)
            self = .file(folder.map { $0.pushing(path.lexicallyNormalized()) } ?? path)
        }

        static func == (left: Source, right: Source) -> Bool {
            switch (left, right) {
            case (.shipped(let left), .shipped(let right)): left == right
            case (.file(let left), .file(let right)): left.lexicallyNormalized() == right.lexicallyNormalized()
            case (.shipped, .file), (.file, .shipped): false
            }
        }

        /// What errors call it.
        var name: String {
            switch self {
            case .shipped(let name): "\(name).yaml"
            case .file(let path): path.string
            }
        }

        var folder: FilePath? {
            switch self {
            case .shipped: nil
            case .file(let path): path.removingLastComponent()
            }
        }
    }

    /// The longest line of presets that extend each other; real ones have two or three.
    private static let extendsLimit = 16

    /// - Parameters:
    ///   - trail: the presets that lead here by extending each other.
    ///   - node: the value of `extends` that names this preset.
    private func load(
        _ source: Source, over trail: [Source], askedBy node: YAMLNode?
    ) throws(ConfigurationError) -> Preset {
        guard !trail.contains(source), trail.count < Self.extendsLimit else {
            let chain = (trail + [source]).map(\.name).joined(separator: " extends ")
            throw failure(.circularExtends, "presets extend each other without end: \(chain)", askedBy: node)
        }
        let root = try YAMLNode(yaml: contents(of: source, askedBy: node), file: source.name)
        let mapping = try YAMLMapping<Preset.Key>(root)
        var base: Preset?
        if let extends = mapping[.extends], !extends.isNull {
            base = try load(Source(extends.line(), in: source.folder), over: trail + [source], askedBy: extends)
        }
        return try Preset(mapping, base: base)
    }

    private func contents(of source: Source, askedBy node: YAMLNode?) throws(ConfigurationError) -> [UInt8] {
        switch source {
        case .shipped(let name):
            guard let preset = shipped.first(where: { $0.name == name }) else {
                throw failure(.unknownPreset, unknown(name), askedBy: node)
            }
            return Array(preset.yaml.utf8)
        case .file(let path):
            do {
                return try InputFile(path).contents(limit: YAMLNode.sizeLimit)
            } catch Errno.fileTooLarge {
                throw YAMLNode.tooLarge(file: source.name)
            } catch {
                let reason = (error as? Errno)?.description ?? "\(error)"
                throw failure(.unreadable, "cannot read \(path): \(reason)", askedBy: node)
            }
        }
    }

    /// An error at the place that asked for a preset, or without a place when no file did.
    private func failure(
        _ code: ConfigurationError.Code, _ message: String, askedBy node: YAMLNode?
    ) -> ConfigurationError {
        node?.error(code, message) ?? ConfigurationError(code, file: nil, message)
    }

    private func unknown(_ name: String) -> String {
        let hint = suggestion(for: name, among: names)
        let known = alternatives(names, "and")
        return "no preset is named \(quoted(name))\(hint.isEmpty ? "; there" : "\(hint) There") are \(known)"
    }
}
