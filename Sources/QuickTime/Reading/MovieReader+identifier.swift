package import Bytes
import ISOBMFF
package import MediaModel

extension MovieReader {
    /// Reads the content identifier of a movie without parsing its tracks. Nil if the movie has none.
    ///
    /// - Throws: `ParseError` when the file is no movie or a damaged one; `Errno` of pread(2).
    package static func contentIdentifier(of file: InputFile) throws -> FileText? {
        guard let box = try boxes(of: file).first(where: { $0.type == MovieBox.type }), !box.isCutOff,
            box.payloadSize <= MovieLimits.movieBoxSize
        else { return try MovieReader(file).contentIdentifier }
        var reader = try box.read(from: file, limit: MovieLimits.movieBoxSize).payload
        while let child = try reader.nextBox() {
            guard child.type == MetadataBox.type, let metadata: MetadataBox = try? child.read() else { continue }
            // Some camera movies have an empty `meta` followed by its children.
            guard metadata.keys != nil, metadata.itemList != nil else { break }
            return metadata.items.contentIdentifier
        }
        return try MovieReader(file).contentIdentifier
    }
}

extension [MetadataItem] {
    /// Nil if there is none. Longer text than a UUID is none.
    var contentIdentifier: FileText? {
        first { $0.key == .contentIdentifier }?.value.text.flatMap {
            $0.bytes.count <= ContentIdentifier.byteCount ? $0 : nil
        }
    }
}
