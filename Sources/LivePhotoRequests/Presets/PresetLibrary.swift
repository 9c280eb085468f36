import Bytes
import MediaModel
import PresetFiles
public import SystemPackage

/// The presets that ship with the program, and those that a user keeps in files.
public struct PresetLibrary: Sendable {
    /// The preset of a conversion that does not name one.
    public static let defaultName = "classic"

    /// The folder of the user's presets, each `NAME.yaml`; nil for none. It need not exist.
    public let folder: FilePath?
    private let shipped: [(name: String, yaml: String)]

    /// The library of the shipped presets, which also reads files.
    ///
    /// - Parameter folder: the folder of the user's presets, each `NAME.yaml`.
    public init(folder: FilePath? = nil) {
        self.init(shipped: PresetFiles.all, folder: folder)
    }

    package init(shipped: [(name: String, yaml: String)], folder: FilePath? = nil) {
        self.shipped = shipped
        self.folder = folder
    }

    /// The shipped presets' names, in the order in which they are listed.
    public var names: [String] { shipped.map(\.name) }

    /// The file of a preset, as it is; asked for as in `resolve`.
    ///
    /// - Throws: `LivePhotoError` when there is none, or it is no text.
    public func yaml(of nameOrFile: String) throws(LivePhotoError) -> String {
        let source = source(nameOrFile, in: nil)
        return try YAMLText.decode(contents(of: source, askedBy: nil), file: source.name)
    }

    /// A shipped preset or one of `folder`, whole: what it extends is filled in.
    ///
    /// - Throws: `LivePhotoError`, `.unknownPreset` among them.
    public func preset(named name: String) throws(LivePhotoError) -> Preset {
        try load(source(named: name), over: [], askedBy: nil)
    }

    /// The preset in a file of YAML or JSON, whole: what it extends is filled in.
    ///
    /// - Throws: `LivePhotoError` with the place of what is wrong.
    public func preset(at path: FilePath) throws(LivePhotoError) -> Preset {
        try load(.file(path), over: [], askedBy: nil)
    }

    /// The preset that a user asks for by name or by file: what has a `/` in it or ends in `.yaml`, `.yml` or `.json` is
    /// a file, anything else the name of a shipped preset or of one in `folder`.
    ///
    /// - Throws: `LivePhotoError`
    public func resolve(_ nameOrFile: String) throws(LivePhotoError) -> Preset {
        try load(source(nameOrFile, in: nil), over: [], askedBy: nil)
    }

    /// The preset that a value in another document asks for: by name or file, or by a preset's keys themselves, where what
    /// they leave out is the default preset's.
    ///
    /// - Parameter folder: what a file's relative path begins at; nil for the current folder.
    package func preset(askedBy node: YAMLNode, in folder: FilePath?) throws(LivePhotoError) -> Preset {
        guard case .mapping = node.content else {
            return try load(source(node.line(), in: folder), over: [], askedBy: node)
        }
        let mapping = try YAMLMapping<Preset.Key>(node, keys: Preset.keys)
        let base =
            if let extends = mapping[.extends], !extends.isNull {
                try load(source(extends.line(), in: folder), over: [], askedBy: extends)
            } else {
                try preset(named: Self.defaultName)
            }
        return try Preset(mapping, base: base, name: base.name)
    }

    /// The place of a preset.
    private enum Source {
        case shipped(String)
        case file(FilePath)

        /// What errors call it.
        var name: String {
            switch self {
            case .shipped(let name): "\(name).yaml"
            case .file(let path): path.string
            }
        }

        /// Nil for a shipped preset.
        var path: FilePath? { if case .file(let path) = self { path } else { nil } }

        func isSame(as other: Source) -> Bool {
            path?.lexicallyNormalized() == other.path?.lexicallyNormalized() && (path != nil || name == other.name)
        }
    }

    /// - Parameter folder: what a relative path begins at; nil for the current folder.
    private func source(_ nameOrFile: String, in folder: FilePath?) -> Source {
        guard OwnPreset.isPath(nameOrFile) else { return source(named: nameOrFile) }
        let path = FilePath(nameOrFile)
        return .file(folder.map { $0.pushing(path.lexicallyNormalized()) } ?? path)
    }

    private func source(named name: String) -> Source {
        guard !names.contains(name), let path = ownFile(named: name) else { return .shipped(name) }
        return .file(path)
    }

    /// The longest chain of presets that extend each other; real ones have two or three.
    private static let extendsLimit = 16

    /// - Parameters:
    ///   - trail: the presets that lead here by extending each other.
    ///   - node: the value of `extends` that names this preset.
    private func load(
        _ source: Source, over trail: [Source], askedBy node: YAMLNode?
    ) throws(LivePhotoError) -> Preset {
        guard !trail.contains(where: source.isSame), trail.count < Self.extendsLimit else {
            let chain = (trail + [source]).map(\.name).joined(separator: " extends ")
            throw failure(.circularExtends, "presets extend each other without end: \(chain)", askedBy: node)
        }
        let contents = try contents(of: source, askedBy: node)
        let ownName = try checkedOwnName(of: source)
        let root = try YAMLNode(yaml: contents, file: source.name)
        let mapping = try YAMLMapping<Preset.Key>(root, keys: Preset.keys)
        var base: Preset?
        if let extends = mapping[.extends], !extends.isNull {
            base = try load(
                self.source(extends.line(), in: source.path?.removingLastComponent()), over: trail + [source],
                askedBy: extends)
        }
        let preset = try Preset(mapping, base: base, name: source.path?.stem)
        if let ownName, preset.name != ownName {
            throw (mapping[.name] ?? root).valueError(
                .invalidName, "\(quoted(preset.name)) is not the name that its file has, \(quoted(ownName))")
        }
        return preset
    }

    /// The name of a preset in `folder`, after its file; nil for presets that are elsewhere.
    private func checkedOwnName(of source: Source) throws(LivePhotoError) -> String? {
        guard case .file(let path) = source, isOwn(path), let name = path.stem else { return nil }
        if names.contains(name) {
            throw LivePhotoError(
                .invalidName, file: source.name,
                "\(quoted(name)) is the name of a shipped preset, which this one cannot replace; rename the file")
        }
        guard OwnPreset.isName(name) else {
            throw LivePhotoError(
                .invalidName, file: source.name,
                "\(quoted(name)) is no name for a preset; rename the file, with letters, digits, '-', '_' and '.' only")
        }
        return name
    }

    private func contents(of source: Source, askedBy node: YAMLNode?) throws(LivePhotoError) -> [UInt8] {
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
                throw failure(.noInput, "cannot read \(path): \(reason)", askedBy: node)
            }
        }
    }

    /// An error at the place that asked for a preset, or without a place when no file did.
    private func failure(
        _ code: LivePhotoError.Code, _ message: String, askedBy node: YAMLNode?
    ) -> LivePhotoError {
        node?.error(code, message) ?? LivePhotoError(code, file: nil, message)
    }

    private func unknown(_ name: String) -> String {
        let names = names + ownNames
        let hint = suggestion(for: name, among: names)
        let known = alternatives(names, "and")
        return "no preset is named \(quoted(name))\(hint.isEmpty ? "; there" : "\(hint) There") are \(known)"
    }
}
