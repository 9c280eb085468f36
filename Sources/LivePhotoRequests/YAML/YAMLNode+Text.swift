extension YAMLNode {
    /// The maximum size of a preset in bytes; real ones have 300.
    package static let sizeLimit = 1 << 20

    /// Reads a YAML or JSON document. Anchors, aliases, tags and a second document are rejected.
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
        let text = try YAMLText.decode(bytes, file: file, linesBefore: linesBefore)
        guard let root = try YAMLComposer(text, file: file, linesBefore: linesBefore).root() else {
            throw LivePhotoError(.syntax, file: file, "the file is empty")
        }
        self = root
    }

    package static func tooLarge(file: String, limit: Int = sizeLimit) -> LivePhotoError {
        LivePhotoError(.overLimit, file: file, "the file is larger than \(limit) bytes")
    }
}
