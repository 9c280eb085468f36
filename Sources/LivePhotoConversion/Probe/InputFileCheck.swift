import FFmpegKit
import LivePhotoKit
import SystemPackage

/// Says in words why a path is no clip, before and after libav has tried to open it.
enum InputFileCheck {
    static func check(_ path: FilePath) throws(ConversionError) {
        let status: Stat
        do {
            status = try path.stat()
        } catch {
            switch error {
            case .noSuchFileOrDirectory, .notDirectory: throw ConversionError(.noInput, path, "no such file")
            case .permissionDenied: throw ConversionError(.noInput, path, "may not be read (permission denied)")
            default: throw ConversionError(.inputOutput, path, "cannot be read: \(error)")
            }
        }
        switch status.type {
        case .regular: break
        case .directory:
            throw ConversionError(.unusableMedia, path, "is a directory; give a video file")
        default:
            throw ConversionError(.unusableMedia, path, "is not a regular file; save the clip to a file first")
        }
        guard status.size > 0 else {
            throw ConversionError(.unusableMedia, path, "is empty (0 bytes)")
        }
    }

    static func explain(_ error: LibavError, _ path: FilePath) -> ConversionError {
        if error.isOutOfMemory {
            return ConversionError(.temporary, path, "not enough memory to open it")
        }
        if let errno = error.systemErrno.map(Errno.init(rawValue:)), error.call == "avformat_open_input" {
            switch errno {
            case .permissionDenied: return ConversionError(.noInput, path, "may not be read (permission denied)")
            case .ioError: return ConversionError(.inputOutput, path, "cannot be read: \(errno)")
            default: break
            }
        }
        if Demuxer.isPlaylist(error) {
            return ConversionError(
                .unusableMedia, path, "is a playlist, a picture or a script, not a clip; give the video file itself")
        }
        let detail = error.logLine.map { " (\($0))" } ?? ""
        return ConversionError(
            .unusableMedia, path, "is not a video that FFmpeg can read, or it is damaged or incomplete\(detail)")
    }
}
