import Bytes
import FFmpegKit
import LivePhotoKit
import QuickTime
import SystemPackage

extension InputFileCheck {
    /// Rejects a QuickTime or MP4 movie that libav would need gigabytes of memory or minutes to open.
    static func checkTables(_ file: InputFile) throws(LivePhotoError) {
        do {
            try MovieTableCheck.check(file)
        } catch let error as ParseError {
            throw LivePhotoError(.unusableMedia, file.path, "its \(error)", cause: error)
        } catch {
            throw LivePhotoError(reading: file.path, error)
        }
    }

    /// The reason why libav could not open or read a file.
    static func explain(_ error: LibavError, _ file: InputFile) -> LivePhotoError {
        let path = file.path
        if let shortage = LivePhotoError.shortage(error, of: path, work: "open it") { return shortage }
        switch Demuxer.refusedKind(error) {
        case .playlist:
            return LivePhotoError(
                .unusableMedia, path, "is a playlist or a script, not a clip; give the video file itself")
        case .picture:
            return pictureError(path)
        case .text:
            return LivePhotoError(.unusableMedia, path, "is text, not a clip; give a video file")
        case nil where (try? PhotoFile.format(file)) != nil:
            return pictureError(path)
        case nil where QuickTimeTracks(file)?.hasOnlyEncryptedVideo == true:
            return encryptedError(path)
        case nil where MovieReader.isCutOff(file):
            return LivePhotoError(
                .unusableMedia, path, "is cut off before its index (the box moov); copy it again", cause: error)
        case nil:
            return LivePhotoError(
                .unusableMedia, path,
                "is not a video that FFmpeg can read, or it is damaged or incomplete (\(error.reason))", cause: error)
        }
    }

    static func encryptedError(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(.unusableMedia, path, "is encrypted; give a clip without copy protection")
    }

    static func pictureError(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(
            .unusableMedia, path,
            "is a picture, not a clip; give a video (livephoto convert CLIP --photo PICTURE takes both)")
    }
}
