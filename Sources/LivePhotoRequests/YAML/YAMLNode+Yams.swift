import Yams

extension YAMLNode {
    /// The largest preset that is read, in bytes: real ones take 300.
    package static let sizeLimit = 1 << 20
    /// The deepest nesting that is read: real documents have five levels.
    private static let depthLimit = 32

    /// Reads a document of YAML, or of JSON, which is YAML too.
    ///
    /// Anchors, aliases, tags, explicit keys (`?`) and more than one document in a file are refused.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with or without a byte order mark.
    ///   - file: the file's name, for errors.
    ///   - limit: the most bytes that are read.
    ///   - linesBefore: how many lines of the file precede these bytes.
    package init(
        yaml bytes: [UInt8], file: String, limit: Int = sizeLimit, linesBefore: Int = 0
    ) throws(LivePhotoError) {
        guard bytes.count <= limit else { throw Self.tooLarge(file: file, limit: limit) }
        let node: YAMLNode
        do throws(LivePhotoError) {
            guard
                let root = try YAMLComposer.compose(
                    YAMLText.decode(bytes, file: file), file: file, linesBefore: linesBefore)
            else {
                throw LivePhotoError(.syntax, file: file, "the file is empty")
            }
            node = try YAMLNode(root, file: file, path: "", depth: 0)
        } catch {
            throw error.moved(byLines: linesBefore)
        }
        self = linesBefore > 0 ? node.moved(byLines: linesBefore) : node
    }

    private func moved(byLines lines: Int) -> YAMLNode {
        let content: Content =
            switch self.content {
            case .null, .text: self.content
            case .list(let elements): .list(elements.map { $0.moved(byLines: lines) })
            case .mapping(let entries):
                .mapping(
                    entries.map {
                        Entry(key: $0.key, place: $0.place.moved(byLines: lines), value: $0.value.moved(byLines: lines))
                    })
            }
        return YAMLNode(content: content, file: file, place: place.moved(byLines: lines), path: path)
    }

    /// The error for a file of more than `limit` bytes.
    package static func tooLarge(file: String, limit: Int = sizeLimit) -> LivePhotoError {
        LivePhotoError(.overLimit, file: file, "the file is larger than \(limit) bytes")
    }

    private init(_ node: Yams.Node, file: String, path: String, depth: Int) throws(LivePhotoError) {
        self.file = file
        self.path = path
        place = LivePhotoError.Place(node.mark)
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
                nodes.append(try YAMLNode(element, file: file, path: "\(path)[\(index)]", depth: depth + 1))
            }
            content = .list(nodes)
        case .mapping(let pairs):
            var entries: [Entry] = []
            for (key, value) in pairs {
                let place = LivePhotoError.Place(key.mark)
                guard let name = key.scalar?.string else {
                    throw LivePhotoError(.syntax, file: file, at: place, "a key has to be a word")
                }
                let path = path.isEmpty ? name : "\(path).\(name)"
                let node = try YAMLNode(value, file: file, path: path, depth: depth + 1)
                entries.append(Entry(key: name, place: place, value: node))
            }
            content = .mapping(entries)
        }
    }
}

extension Yams.Node {
    /// Whether the document says what type the node is of. Yams itself gives quoted scalars the tag of a string.
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
    /// YAML's core schema, "Tag Resolution" (YAML 1.2.2, section 10.3.2).
    fileprivate var isNull: Bool {
        style == .plain && ["", "~", "null", "Null", "NULL"].contains(string)
    }
}
