package import LivePhotoKit
import SystemPackage

/// Checks that a path is a regular file with content, before anything is read.
package enum InputFileCheck {
    /// - Parameters:
    ///   - kind: what the file should be.
    ///   - expected: what to give instead of a folder.
    package static func check(
        _ path: FilePath, is kind: String = "clip", _ expected: String = "a video file"
    ) throws(LivePhotoError) {
        guard !path.isEmpty else { throw LivePhotoError(.noInput, nil, "no \(kind) is named") }
        let status: Stat
        do {
            status = try path.stat()
        } catch {
            let failure = LivePhotoError(reading: path, error)
            guard failure.code == .inputOutput, error != .ioError else { throw failure }
            throw LivePhotoError(.noInput, path, "cannot be opened: \(error)", cause: error)
        }
        switch status.type {
        case .regular: break
        case .directory:
            throw LivePhotoError(.unusableMedia, path, "is a directory; give \(expected)")
        default:
            throw LivePhotoError(.unusableMedia, path, "is not a regular file; save the \(kind) to a file first")
        }
        guard status.size > 0 else {
            throw LivePhotoError(.unusableMedia, path, "is empty (0 bytes)")
        }
    }
}
