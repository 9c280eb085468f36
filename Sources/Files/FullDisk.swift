import Bytes
package import SystemPackage

/// A disk without space, which would make everything that follows fail too.
package enum FullDisk {
    private static let least = 16 << 20

    package static func error(_ folder: FilePath) -> LivePhotoError {
        LivePhotoError(
            .inputOutput, folder, "its disk is full; free some space and run the same command again to continue")
    }

    /// Whether nothing could be written because the folder's disk is full.
    package static func isCause(of error: LivePhotoError, _ folder: FilePath) -> Bool {
        error.code.exitStatus == LivePhotoError.Code.inputOutput.exitStatus && isFull(folder)
    }

    /// - Parameter folder: need not exist.
    package static func isFull(_ folder: FilePath) -> Bool {
        let existing = (try? OutputDirectory.nearest(to: folder)) ?? folder
        return FreeSpace.bytes(at: existing).map { $0 < least } ?? false
    }
}
