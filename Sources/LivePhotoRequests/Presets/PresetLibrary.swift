import Bytes
import MediaModel
import PresetFiles
public import SystemPackage

/// The presets that ship with the program, and the user's own.
public struct PresetLibrary: Sendable {
    /// The name of the preset that is used by default.
    public static let defaultName = "classic"

    /// The folder of the user's presets, each `NAME.yaml`; nil for none. It may be missing.
    public let folder: FilePath?
    private let shipped: [(name: String, yaml: String)]

    /// The shipped presets and those in a folder.
    ///
    /// - Parameter folder: the folder of the user's presets, each `NAME.yaml`; it may be missing.
    public init(folder: FilePath? = nil) {
        self.init(shipped: PresetFiles.all, folder: folder)
    }

    package init(shipped: [(name: String, yaml: String)], folder: FilePath? = nil) {
        self.shipped = shipped
        self.folder = folder
    }

    /// The names of the shipped presets, in display order.
    public var names: [String] { shipped.map(\.name) }

    /// The text of a preset's file.
    ///
    /// - Parameter nameOrFile: as for `resolve`.
    /// - Throws: `LivePhotoError` if it does not exist or is not text.
    public func yaml(of nameOrFile: String) throws(LivePhotoError) -> String {
        let source = source(nameOrFile, in: nil)
        return try YAMLText.decode(contents(of: source, requestedBy: nil), file: source.name)
    }

    /// A shipped preset or one in `folder`, with inherited settings.
    ///
    /// - Throws: `LivePhotoError`, for example `.unknownPreset`.
    public func preset(named name: String) throws(LivePhotoError) -> Preset {
        try load(source(named: name), over: [], requestedBy: nil)
    }

    /// The preset in a YAML or JSON file, with inherited settings.
    ///
    /// - Throws: `LivePhotoError` with the place of the error.
    public func preset(at path: FilePath) throws(LivePhotoError) -> Preset {
        try load(.file(path), over: [], requestedBy: nil)
    }

    /// The preset with a name or in a file. Text that has a `/` or ends in `.yaml`, `.yml` or `.json` is the path of a
    /// file; any other text is the name of a shipped preset or of one in `folder`.
    ///
    /// - Throws: `LivePhotoError`, for example `.unknownPreset`.
    public func resolve(_ nameOrFile: String) throws(LivePhotoError) -> Preset {
        try load(source(nameOrFile, in: nil), over: [], requestedBy: nil)
    }

    /// The preset that a value in a job file requests: a name, a file, or keys of a preset that extends the default one
    /// unless it has `extends`. Without a value, the default preset.
    ///
    /// - Parameter folder: the base of relative paths; nil for the current folder.
    package func preset(requestedBy node: YAMLNode?, in folder: FilePath?) throws(LivePhotoError) -> Preset {
        guard let node else { return try preset(named: Self.defaultName) }
        guard case .mapping = node.content else {
            return try load(source(node.line(), in: folder), over: [], requestedBy: node)
        }
        let mapping = try YAMLMapping<Preset.Key>(node, keys: Preset.keys)
        let base =
            if let extends = mapping[.extends], !extends.isNull {
                try load(source(extends.line(), in: folder), over: [], requestedBy: extends)
            } else {
                try preset(named: Self.defaultName)
            }
        return try Preset(mapping, base: base, name: base.name, in: folder)
    }

    /// Where a preset is stored.
    private enum Source {
        case shipped(String)
        case file(FilePath)

        /// The name in errors.
        var name: String {
            switch self {
            case .shipped(let name): "\(name).yaml"
            case .file(let path): path.string
            }
        }

        /// Nil for a shipped preset.
        var path: FilePath? { if case .file(let path) = self { path } else { nil } }

        /// The name of a preset whose file does not say one.
        var presetName: String? {
            switch self {
            case .shipped(let name): name
            case .file(let path): path.stem
            }
        }

        func isSame(as other: Source) -> Bool {
            path?.lexicallyNormalized() == other.path?.lexicallyNormalized() && (path != nil || name == other.name)
        }
    }

    /// - Parameter folder: the base of relative paths; nil for the current folder.
    private func source(_ nameOrFile: String, in folder: FilePath?) -> Source {
        guard OwnPreset.isPath(nameOrFile) else { return source(named: nameOrFile) }
        let path = FilePath(nameOrFile)
        return .file(folder.map { $0.pushing(path.lexicallyNormalized()) } ?? path)
    }

    private func source(named name: String) -> Source {
        guard !names.contains(name), let path = ownFile(named: name) else { return .shipped(name) }
        return .file(path)
    }

    /// The maximum length of a chain of presets that extend each other; real ones have two or three.
    private static let extendsLimit = 16

    /// - Parameters:
    ///   - trail: the presets that extend this one, directly or indirectly.
    ///   - node: the value that names this preset, for errors.
    private func load(
        _ source: Source, over trail: [Source], requestedBy node: YAMLNode?
    ) throws(LivePhotoError) -> Preset {
        guard !trail.contains(where: source.isSame), trail.count < Self.extendsLimit else {
            let chain = (trail + [source]).map(\.name).joined(separator: " extends ")
            throw failure(.circularExtends, "presets extend each other without end: \(chain)", requestedBy: node)
        }
        let contents = try contents(of: source, requestedBy: node)
        let ownName = try checkedOwnName(of: source)
        let root = try YAMLNode(yaml: contents, file: source.name)
        let mapping = try YAMLMapping<Preset.Key>(root, keys: Preset.keys)
        var base: Preset?
        if let extends = mapping[.extends], !extends.isNull {
            base = try load(
                self.source(extends.line(), in: source.path?.removingLastComponent()), over: trail + [source],
                requestedBy: extends)
        }
        let preset = try Preset(
            mapping, base: base, name: source.presetName, in: source.path?.removingLastComponent())
        if let ownName, preset.name != ownName {
            throw (mapping[.name] ?? root).valueError(
                .invalidName, "\(quoted(preset.name)) does not match the file name, \(quoted(ownName))")
        }
        return preset
    }

    /// The required name of a preset in `folder`, from its file name; nil for other presets.
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

    private func contents(of source: Source, requestedBy node: YAMLNode?) throws(LivePhotoError) -> [UInt8] {
        switch source {
        case .shipped(let name):
            guard let preset = shipped.first(where: { $0.name == name }) else {
                let known = names + ownNames
                if FileSystem.exists(FilePath(name)) {
                    throw failure(
                        .unknownPreset,
                        "no preset is named \(quoted(name)); the name of a preset's file ends in .yaml, .yml or .json",
                        requestedBy: node)
                }
                let hint = suggestion(for: name, among: known)
                let list = "\(hint.isEmpty ? "; there" : "\(hint) There") are \(alternatives(known, "and"))"
                throw failure(.unknownPreset, "no preset is named \(quoted(name))\(list)", requestedBy: node)
            }
            return Array(preset.yaml.utf8)
        case .file(let path):
            do {
                return try InputFile(path).contents(limit: YAMLNode.sizeLimit)
            } catch Errno.fileTooLarge {
                throw YAMLNode.tooLarge(file: source.name)
            } catch {
                let reason = (error as? Errno)?.description ?? "\(error)"
                throw failure(.noInput, "cannot read \(path): \(reason)", requestedBy: node)
            }
        }
    }

    /// An error at the place that names a preset, or without a place if it was not named in a file.
    private func failure(
        _ code: LivePhotoError.Code, _ message: String, requestedBy node: YAMLNode?
    ) -> LivePhotoError {
        node?.error(code, message) ?? LivePhotoError(code, file: nil, message)
    }
}

extension Preset {
    /// The preset that is used by default: H.264 of up to 1080p with 12 to 15 frames per second, and a JPEG.
    public static let classic: Preset = {
        do {
            return try PresetLibrary().preset(named: PresetLibrary.defaultName)
        } catch {
            // Its text is part of the program, and a test reads it.
            preconditionFailure("the preset \(PresetLibrary.defaultName) that ships with the program: \(error)")
        }
    }()
}
