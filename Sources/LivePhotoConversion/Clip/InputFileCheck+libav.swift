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
            guard isAnimatedWebP(file) else { return pictureError(path) }
            return LivePhotoError(
                .unusableMedia, path,
                "is an animated WebP, which this build of FFmpeg cannot decode; give a GIF or a video")
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

    /// WebP Container Specification, "Extended File Format".
    private static func isAnimatedWebP(_ file: InputFile) -> Bool {
        guard let head = try? file.bytes(at: 0, count: 21), head.count == 21 else { return false }
        return head.starts(with: "RIFF".utf8) && head[8..<16].elementsEqual("WEBPVP8X".utf8) && head[20] & 2 != 0
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
