import FFmpegKit
import LivePhotoKit
import SystemPackage

/// Says in words why a path is no clip, before and after libav has tried to open it.
enum InputFileCheck {
    /// - Parameters:
    ///   - kind: what the file should be.
    ///   - wanted: what to give instead of a folder.
    static func check(
        _ path: FilePath, is kind: String = "clip", _ wanted: String = "a video file"
    ) throws(ConversionError) {
        guard !path.isEmpty else { throw ConversionError(.noInput, nil, "no \(kind) is named") }
        let status: Stat
        do {
            status = try path.stat()
        } catch {
            switch error {
            case .noSuchFileOrDirectory, .notDirectory: throw ConversionError(.noInput, path, "no such file")
            case .permissionDenied: throw ConversionError(.noInput, path, "may not be read (permission denied)")
            case .ioError: throw ConversionError(.inputOutput, path, "cannot be read: \(error)")
            default: throw ConversionError(.noInput, path, "cannot be opened: \(error)")
            }
        }
        switch status.type {
        case .regular: break
        case .directory:
            throw ConversionError(.unusableMedia, path, "is a directory; give \(wanted)")
        default:
            throw ConversionError(.unusableMedia, path, "is not a regular file; save the \(kind) to a file first")
        }
        guard status.size > 0 else {
            throw ConversionError(.unusableMedia, path, "is empty (0 bytes)")
        }
    }

    static func explain(_ error: LibavError, _ path: FilePath) -> ConversionError {
        if error.isOutOfMemory {
            return ConversionError(.temporary, path, "not enough memory to open it")
        }
        if error.systemErrno == Errno.permissionDenied.rawValue {
            return ConversionError(.noInput, path, "may not be read (permission denied)")
        }
        switch Demuxer.refusedKind(error) {
        case .playlist:
            return ConversionError(
                .unusableMedia, path, "is a playlist or a script, not a clip; give the video file itself")
        case .picture:
            return isPicture(path)
        case .text:
            return ConversionError(.unusableMedia, path, "is text, not a clip; give a video file")
        case nil where (try? PhotoFile.format(path)) != nil:
            return isPicture(path)
        case nil:
            return ConversionError(
                .unusableMedia, path,
                "is not a video that FFmpeg can read, or it is damaged or incomplete (\(error.reason))")
        }
    }

    static func isPicture(_ path: FilePath) -> ConversionError {
        ConversionError(
            .unusableMedia, path, "is a picture, not a clip; a Live Photo needs video, and --photo takes pictures")
    }
}
