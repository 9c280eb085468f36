import Bytes
package import LivePhotoKit
package import StillImage
package import SystemPackage

/// A photo's file, whole in memory.
package struct PhotoFile: Sendable {
    package let path: FilePath
    package let bytes: [UInt8]

    /// - Throws: `LivePhotoError` for one that cannot be read, or is too large for a photo.
    package init(_ path: FilePath) throws(LivePhotoError) {
        self.path = path
        bytes = try Self.read(path) { try $0.contents(limit: PhotoEditor.fileSizeLimit) }
    }

    /// The kind of the photo at `path`, by its content; nil for kinds that StillImage does not read.
    package static func format(_ path: FilePath) throws(LivePhotoError) -> PhotoMetadata.Format? {
        PhotoMetadata.Format(
            of: try read(path) { try $0.bytes(at: 0, count: PhotoMetadata.Format.signatureSize) })
    }

    private static func read(
        _ path: FilePath, _ read: (InputFile) throws -> [UInt8]
    ) throws(LivePhotoError) -> [UInt8] {
        try InputFileCheck.check(path, is: "photo", "a photo file")
        do {
            return try read(InputFile(path))
        } catch Errno.fileTooLarge {
            throw LivePhotoError(
                .unusableMedia, path, "is too large for a photo (more than \(PhotoEditor.fileSizeLimit >> 20) MB)")
        } catch Errno.permissionDenied {
            throw LivePhotoError(.noInput, path, "may not be read (permission denied)")
        } catch {
            throw LivePhotoError(.inputOutput, path, "cannot be read: \(error)")
        }
    }
}
