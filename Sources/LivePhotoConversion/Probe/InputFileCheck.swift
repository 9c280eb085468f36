import Bytes
import FFmpegKit
import LivePhotoKit
import QuickTime
import SystemPackage

/// Says in words why a path is no clip, before and after libav has tried to open it.
enum InputFileCheck {
    /// - Parameters:
    ///   - kind: what the file should be.
    ///   - wanted: what to give instead of a folder.
    static func check(
        _ path: FilePath, is kind: String = "clip", _ wanted: String = "a video file"
    ) throws(LivePhotoError) {
        guard !path.isEmpty else { throw LivePhotoError(.noInput, nil, "no \(kind) is named") }
        let status: Stat
        do {
            status = try path.stat()
        } catch {
            switch error {
            case .noSuchFileOrDirectory, .notDirectory: throw LivePhotoError(.noInput, path, "no such file")
            case .permissionDenied: throw LivePhotoError(.noInput, path, "may not be read (permission denied)")
            case .ioError: throw LivePhotoError(.inputOutput, path, "cannot be read: \(error)")
            default: throw LivePhotoError(.noInput, path, "cannot be opened: \(error)")
            }
        }
        switch status.type {
        case .regular: break
        case .directory:
            throw LivePhotoError(.unusableMedia, path, "is a directory; give \(wanted)")
        default:
            throw LivePhotoError(.unusableMedia, path, "is not a regular file; save the \(kind) to a file first")
        }
        guard status.size > 0 else {
            throw LivePhotoError(.unusableMedia, path, "is empty (0 bytes)")
        }
    }

    /// Refuses a QuickTime or MP4 movie that would take libav gigabytes of memory, or minutes, to open.
    static func checkTables(_ path: FilePath) throws(LivePhotoError) {
        do {
            try MovieTableCheck.check(InputFile(path))
        } catch let error as ParseError {
            throw LivePhotoError(.unusableMedia, path, "its \(error)")
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    static func explain(_ error: LibavError, _ path: FilePath) -> LivePhotoError {
        if error.isOutOfMemory {
            return LivePhotoError(.temporary, path, "not enough memory to open it")
        }
        if error.systemErrno == Errno.permissionDenied.rawValue {
            return LivePhotoError(.noInput, path, "may not be read (permission denied)")
        }
        switch Demuxer.refusedKind(error) {
        case .playlist:
            return LivePhotoError(
                .unusableMedia, path, "is a playlist or a script, not a clip; give the video file itself")
        case .picture:
            return isPicture(path)
        case .text:
            return LivePhotoError(.unusableMedia, path, "is text, not a clip; give a video file")
        case nil where (try? PhotoFile.format(path)) != nil:
            return isPicture(path)
        case nil where QuickTimeTracks(path)?.hasOnlyEncryptedVideo == true:
            return isEncrypted(path)
        case nil:
            return LivePhotoError(
                .unusableMedia, path,
                "is not a video that FFmpeg can read, or it is damaged or incomplete (\(error.reason))")
        }
    }

    static func isEncrypted(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(.unusableMedia, path, "is encrypted; give a clip without copy protection")
    }

    static func isPicture(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(
            .unusableMedia, path, "is a picture, not a clip; a Live Photo needs video, and --photo takes pictures")
    }
}
