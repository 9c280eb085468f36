import Bytes
package import SystemPackage

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
        guard let root = try Self(yamlIfAny: bytes, file: file, limit: limit, linesBefore: linesBefore) else {
            throw Self.empty(file: file)
        }
        self = root
    }

    /// The document in a file; nil if the file is empty or has only comments.
    package init?(contentsOf file: FilePath) throws(LivePhotoError) {
        let contents: [UInt8]
        do {
            contents = try InputFile(file).contents(limit: Self.sizeLimit)
        } catch Errno.fileTooLarge {
            throw Self.tooLarge(file: file.string)
        } catch {
            throw LivePhotoError(reading: file, error)
        }
        try self.init(yamlIfAny: contents, file: file.string)
    }

    /// As `init(yaml:file:limit:linesBefore:)`; nil for a file that is empty or has only comments.
    private init?(
        yamlIfAny bytes: [UInt8], file: String, limit: Int = sizeLimit, linesBefore: Int = 0
    ) throws(LivePhotoError) {
        guard bytes.count <= limit else { throw Self.tooLarge(file: file, limit: limit) }
        let text = try YAMLText.decode(bytes, file: file, linesBefore: linesBefore)
        guard let root = try YAMLComposer(text, file: file, linesBefore: linesBefore).root() else { return nil }
        self = root
    }

    package static func empty(file: String) -> LivePhotoError {
        LivePhotoError(.syntax, file: file, "the file is empty")
    }

    package static func tooLarge(file: String, limit: Int = sizeLimit) -> LivePhotoError {
        LivePhotoError(.overLimit, file: file, "the file is larger than \(limit) bytes")
    }
}
