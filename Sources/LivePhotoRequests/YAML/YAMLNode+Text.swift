import Yams

extension YAMLNode {
    /// The maximum size of a preset in bytes; real ones have 300.
    package static let sizeLimit = 1 << 20
    /// The maximum nesting depth; real documents have five levels.
    private static let depthLimit = 32

    /// Reads a YAML or JSON document. Anchors, aliases, tags, explicit keys (`?`) and a second document are rejected.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with or without a byte order mark.
    ///   - file: the file's name, for errors.
    ///   - limit: the maximum number of bytes.
    ///   - linesBefore: the number of lines of the file that precede these bytes.
    package init(
        yaml bytes: [UInt8], file: String, limit: Int = sizeLimit, linesBefore: Int = 0
    ) throws(LivePhotoError) {
        guard bytes.count <= limit else { throw Self.tooLarge(file: file, limit: limit) }
        do throws(LivePhotoError) {
            guard
                let root = try YAMLComposer.compose(
                    YAMLText.decode(bytes, file: file), file: file, linesBefore: linesBefore)
            else {
                throw LivePhotoError(.syntax, file: file, "the file is empty")
            }
            try self.init(root, file: file, linesBefore: linesBefore, path: "", depth: 0)
        } catch {
            throw error.moved(byLines: linesBefore)
        }
    }

    package static func tooLarge(file: String, limit: Int = sizeLimit) -> LivePhotoError {
        LivePhotoError(.overLimit, file: file, "the file is larger than \(limit) bytes")
    }

    private init(
        _ node: Yams.Node, file: String, linesBefore: Int, path: String, depth: Int
    ) throws(LivePhotoError) {
        let place = LivePhotoError.Place(node.mark)
        (self.file, self.path, self.place) = (file, path, place.moved(byLines: linesBefore))
        func child(_ node: Yams.Node, path: String) throws(LivePhotoError) -> YAMLNode {
            try YAMLNode(node, file: file, linesBefore: linesBefore, path: path, depth: depth + 1)
        }
        guard depth < Self.depthLimit else {
            throw LivePhotoError(.overLimit, file: file, at: place, LivePhotoError.tooDeep)
        }
        guard !node.hasTag else {
            throw LivePhotoError(.syntax, file: file, at: place, "tags (!) are not read; leave it out")
        }
        switch node {
        case .scalar(let scalar):
            content = scalar.isNull ? .null : .text(scalar.string)
        case .alias:
            throw LivePhotoError(.syntax, file: file, at: place, "aliases (*) are not read; write the value out")
        case .sequence(let elements):
            var nodes: [YAMLNode] = []
            for (index, element) in elements.enumerated() {
                nodes.append(try child(element, path: "\(path)[\(index)]"))
            }
            content = .list(nodes)
        case .mapping(let pairs):
            var entries: [Entry] = []
            for (key, value) in pairs {
                let place = LivePhotoError.Place(key.mark)
                guard let name = key.scalar?.string else {
                    throw LivePhotoError(.syntax, file: file, at: place, "a key has to be a word")
                }
                let value = try child(value, path: path.isEmpty ? name : "\(path).\(name)")
                entries.append(Entry(key: name, place: place.moved(byLines: linesBefore), value: value))
            }
            content = .mapping(entries)
        }
    }
}

extension Yams.Node {
    /// Whether the document gives the node a tag. Yams itself gives quoted scalars the tag of a string.
    fileprivate var hasTag: Bool {
        switch self {
        case .scalar(let scalar) where scalar.style == .plain: !scalar.tag.rawValue.isEmpty
        case .scalar(let scalar): scalar.tag.rawValue != Tag.Name.str.rawValue
        case .sequence(let sequence): !sequence.tag.rawValue.isEmpty
        case .mapping(let mapping): !mapping.tag.rawValue.isEmpty
        case .alias: false
        }
    }
}

extension Yams.Node.Scalar {
    /// Tag resolution of YAML's core schema (YAML 1.2.2, section 10.3.2).
    fileprivate var isNull: Bool {
        style == .plain && ["", "~", "null", "Null", "NULL"].contains(string)
    }
}
