package import Bytes
import LivePhotoKit
package import StillImage
package import SystemPackage

/// A photo file, read into memory.
package struct PhotoFile: Sendable {
    package let path: FilePath
    package let bytes: [UInt8]

    /// - Parameters:
    ///   - path: the file to name in errors.
    ///   - bytes: a picture in it, as a file of its own.
    package init(in path: FilePath, _ bytes: [UInt8]) {
        (self.path, self.bytes) = (path, bytes)
    }

    /// - Throws: `LivePhotoError` if it cannot be read or is too large for a photo.
    package init(_ file: InputFile) throws(LivePhotoError) {
        path = file.path
        bytes = try Self.reading(file.path) { try file.contents(limit: PhotoEditor.fileSizeLimit) }
    }

    /// Whether it is a HEIC or AVIF whose picture is in PQ or HLG.
    package var isHDR: Bool { (try? HEIF(bytes))?.isHDR == true }

    package init(_ path: FilePath) throws(LivePhotoError) { try self.init(Self.open(path)) }

    /// - Throws: `LivePhotoError` if it cannot be opened or is not a regular file.
    package static func open(_ path: FilePath) throws(LivePhotoError) -> InputFile {
        try InputFileCheck.check(path, is: "photo", "a photo file")
        return try reading(path) { try InputFile(path) }
    }

    /// The format according to the file's signature; nil if StillImage does not read it.
    package static func format(_ file: InputFile) throws(LivePhotoError) -> PhotoMetadata.Format? {
        PhotoMetadata.Format(
            of: try reading(file.path) { try file.bytes(at: 0, count: PhotoMetadata.Format.signatureSize) })
    }

    package static func format(_ path: FilePath) throws(LivePhotoError) -> PhotoMetadata.Format? {
        try format(open(path))
    }

    package static func isHEIC(_ path: FilePath) throws(LivePhotoError) -> Bool { try format(path) == .heic }

    /// The extension of a linked photo.
    package static func publishedExtension(_ path: FilePath) throws(LivePhotoError) -> String {
        PublishTarget.photoExtension(of: try format(path))
    }

    private static func reading<Result>(
        _ path: FilePath, _ read: () throws -> Result
    ) throws(LivePhotoError) -> Result {
        do {
            return try read()
        } catch Errno.fileTooLarge {
            throw LivePhotoError(
                .unusableMedia, path, "is too large for a photo (more than \(PhotoEditor.fileSizeLimit >> 20) MB)")
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }
}
