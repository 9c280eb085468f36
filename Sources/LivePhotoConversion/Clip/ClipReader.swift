import Bytes
import FFmpegKit
import LivePhotoKit

/// A clip open for reading, with all times on the clip's clock, which is zero where playback begins.
final class ClipReader {
    private(set) var demuxer: Demuxer
    let video: StreamInfo
    let picture: VideoParameters
    /// The empty edits before the picture's track in a QuickTime or MP4 movie, which libav does not report; otherwise nil.
    private let pictureDelay: MediaTime?
    let audio: StreamInfo?
    /// Whether the clip has sound, all of it encrypted.
    private(set) var hasEncryptedSound: Bool
    /// Warnings about tracks that cannot be decoded: each one sentence.
    let soundWarnings: [String]
    private let file: InputFile
    var path: FilePath { file.path }
    /// Whether reading may begin anywhere. False where packets have no times, and where what a packet means depends on
    /// packets before it.
    let canSeek: Bool
    /// Whether equal presentation and decode times of all packets may be wrong: libav's reader of MXF gives each packet
    /// the time of its place, though pictures are reordered.
    var mayPresentInDecodeOrder: Bool { demuxer.containerName == "mxf" && video.reorderedPictures > 0 }
    /// Where reading broke off in the run since the last seek; nil while it did not.
    private(set) var damage: ClipDamage?
    /// The latest picture's time in this run.
    private var latestTime: MediaTime?
    private let cancellation: CancellationFlag
    private var decodedPixels = 0
    /// Whether nothing was read since the clip was opened.
    private var isAtStart = true

    /// - Throws: `LivePhotoError` for a clip that is not readable or has no picture.
    init(_ file: InputFile, _ cancellation: CancellationFlag) throws(LivePhotoError) {
        self.file = file
        self.cancellation = cancellation
        try InputFileCheck.checkTables(file)
        do {
            demuxer = try Demuxer(file)
        } catch {
            throw InputFileCheck.explain(error, file)
        }
        let path = file.path
        if let brand = demuxer.tags["major_brand"], Self.pictureBrands.contains(brand) {
            throw InputFileCheck.pictureError(path)
        }
        let tracks = demuxer.isQuickTime ? QuickTimeTracks(file) : nil
        let container = demuxer.containerName
        func isEncrypted(_ stream: StreamInfo) -> Bool {
            stream.isEncrypted || tracks?.isEncrypted(stream.id) == true
                || stream.video != nil && ScramblingCheck.isScrambled(file, container: container, video: stream)
        }
        let candidates = demuxer.streams.filter { $0.video != nil && !$0.isAttachedPicture }
        let clear = candidates.filter { !isEncrypted($0) }
        guard candidates.isEmpty || !clear.isEmpty else { throw InputFileCheck.encryptedError(path) }
        let usable = clear.filter { $0.isDecodable && ($0.video?.codedSize.shortEdge ?? 0) > 0 }
        guard let video = usable.first(where: \.isDefault) ?? usable.first, var picture = video.video else {
            throw Self.noPicture(path, demuxer.streams, candidates)
        }
        guard picture.codedSize.width * picture.codedSize.height <= Demuxer.largestPicture else {
            throw LivePhotoError(
                .unusableMedia, path,
                "its pictures of \(picture.codedSize) are larger than any camera's (at most"
                    + " \(Demuxer.largestPicture / 1_000_000) million pixels)")
        }
        picture.cleanAperture = tracks?.cleanAperture(video.id, stored: picture.codedSize)
        pictureDelay = tracks?.delay(video.id)
        self.video = video
        self.picture = picture
        // A palette, and the header of another sample description or FLV sequence, come once, with the first packet that they
        // are for. The sound of RealMedia is interleaved over many packets, and gets wrong times after a seek; that of GXF gets
        // times rounded to fields. In a bare stream of MPEG-4 video libavformat counts on from a wrong time after a seek.
        canSeek =
            demuxer.canSeek && !picture.pixelFormat.isPaletted && tracks?.hasSeveralDescriptions(video.id) != true
            && !["rm", "flv", "gxf", "m4v"].contains(demuxer.containerName)
        let sound = demuxer.streams.filter { $0.audio != nil }.map { (stream: $0, isEncrypted: isEncrypted($0)) }
        (audio, soundWarnings) = Self.chooseSound(demuxer, sound)
        hasEncryptedSound = audio == nil && sound.contains(where: \.isEncrypted)
    }

    /// The default track, or the first that can be decoded; and a warning for each track that was passed over.
    private static func chooseSound(
        _ demuxer: Demuxer, _ streams: [(stream: StreamInfo, isEncrypted: Bool)]
    ) -> (StreamInfo?, [String]) {
        let tracks = streams.enumerated().map { (number: $0 + 1, stream: $1.stream, isEncrypted: $1.isEncrypted) }
        var refused: [(number: Int, stream: StreamInfo, isEncrypted: Bool)] = []
        func warnings(_ instead: String) -> [String] {
            refused.map {
                let name = tracks.count == 1 ? "sound" : "audio track \($0.number)"
                if $0.isEncrypted { return "the clip's \(name) is encrypted; \(instead)" }
                let kind = $0.stream.codecName + ($0.stream.isDecodable ? " of a kind" : ",")
                return "the clip's \(name) is \(kind) which this build of FFmpeg cannot decode; \(instead)"
            }
        }
        for track in tracks.filter(\.stream.isDefault) + tracks.filter({ !$0.stream.isDefault }) {
            if !track.isEncrypted, (try? Decoder(demuxer, stream: track.stream.index, threads: 1)) != nil {
                return (track.stream, warnings("track \(track.number) is taken"))
            }
            refused.append(track)
        }
        return (nil, warnings("the movie has no sound"))
    }

    /// HEIF's brands of single pictures, which libav takes for movies (ISO/IEC 23008-12 10.2, AV1 Image File Format).
    private static let pictureBrands: Set<String> = ["mif1", "mif2", "heic", "heix", "heim", "heis", "avif"]

    /// Goes to a key frame at or before `time`, as the container's index has it; nil goes to the clip's start, and
    /// so does a time to which the container cannot seek.
    func seek(to time: MediaTime?) throws(LivePhotoError) {
        (damage, latestTime) = (nil, nil)
        if canSeek, let time {
            isAtStart = false
            if (try? demuxer.seek(to: time + demuxer.startTime, stream: video.index)) != nil { return }
        }
        // Opening costs tens of milliseconds: libav decodes some pictures to find out what they are.
        if isAtStart { return }
        do {
            demuxer = try Demuxer(file)
        } catch {
            throw InputFileCheck.explain(error, file)
        }
        isAtStart = true
    }

    /// Reads the next packet into `packet`; false at the end of the clip.
    ///
    /// - Throws: `LivePhotoError` for a clip of which nothing can be read or whose pictures are encrypted, and when the
    ///   task was cancelled.
    func read(into packet: Packet) throws(LivePhotoError) -> Bool {
        try cancellation.check()
        isAtStart = false
        let isRead: Bool
        do {
            isRead = try demuxer.read(into: packet)
        } catch {
            throw InputFileCheck.explain(error, file)
        }
        guard isRead else {
            if damage == nil, let error = demuxer.readError {
                damage = ClipDamage(after: latestTime ?? .zero, reason: error.reason)
            }
            return false
        }
        if packet.isEncrypted {
            if packet.streamIndex == video.index { throw InputFileCheck.encryptedError(path) }
            if packet.streamIndex == audio?.index { hasEncryptedSound = true }
        }
        if packet.streamIndex == video.index, let time = clipTime(packet.presentationTime ?? packet.decodeTime) {
            latestTime = max(latestTime ?? time, time)
        }
        return true
    }

    /// To be called for each picture that is decoded, in whatever run.
    ///
    /// - Throws: `LivePhotoError` for a clip that takes more decoding than one of its size may.
    func countDecoded(_ size: PixelSize) throws(LivePhotoError) {
        decodedPixels += size.width * size.height
        guard decodedPixels <= DecodingBudget.pixels(ofClipWith: file.size) else {
            throw LivePhotoError(
                .unusableMedia, path,
                "takes far more decoding than a clip of \(file.size) bytes does; it is damaged, or malicious")
        }
    }

    /// When the clip's picture begins; nil where none comes soon.
    func pictureStart() throws -> MediaTime? {
        if let delay = clipTime(pictureDelay), delay > clipTime(video.startTime) ?? .zero { return delay }
        // libavformat sets Matroska's start times to zero regardless of the first packets.
        let isKnown = audio == nil || !demuxer.containerName.hasPrefix("matroska")
        if isKnown, let start = clipTime(video.startTime) { return start }
        try seek(to: nil)
        demuxer.select(streams: [video.index])
        let packet = try Packet()
        for _ in 0..<Self.mostPacketsBeforePicture {
            guard try read(into: packet) else { return nil }
            if packet.streamIndex == video.index { return clipTime(packet.presentationTime ?? packet.decodeTime) }
        }
        return nil
    }

    /// Some readers give packets of other streams too.
    private static let mostPacketsBeforePicture = 10_000

    func clipTime(_ time: MediaTime?) -> MediaTime? {
        time.map { demuxer.startTime == .zero ? $0 : $0 - demuxer.startTime }
    }

    /// The duration of a frame without a declared one.
    var nominalFrameDuration: MediaTime { (picture.averageFrameRate ?? .whole(25)).frameDuration }

    var metadata: ClipMetadata {
        let ofStream = demuxer.streamTags[video.index]
        return ClipMetadata(tags: demuxer.tags.merging(ofStream) { container, _ in container })
    }

    private static func noPicture(
        _ path: FilePath, _ streams: [StreamInfo], _ candidates: [StreamInfo]
    ) -> LivePhotoError {
        if let stream = candidates.first {
            let reason =
                stream.isDecodable
                ? "its \(stream.codecName) video has no picture size; the file is damaged or incomplete"
                : "its video is \(stream.codecName), which this build of FFmpeg cannot decode"
            return LivePhotoError(.unusableMedia, path, reason)
        }
        if streams.contains(where: \.isAttachedPicture) {
            return LivePhotoError(
                .unusableMedia, path, "no video stream, its only picture is cover art; a Live Photo needs video")
        }
        let sound = streams.count { $0.audio != nil }
        let has = sound == 0 ? "" : " (it has \(counted(sound, "audio stream")))"
        return LivePhotoError(.unusableMedia, path, "no video stream\(has); a Live Photo needs video")
    }
}

/// How many pixels may be decoded of a clip, in all runs together. Some kilobytes can claim to be thousands of large pictures.
private enum DecodingBudget {
    /// Allowed for any clip: 8 s of 1080p60, as a window and the way to it from a key frame need, twice.
    private static let always = 1 << 31
    /// Pixels for each byte of the clip. A picture that repeats the one before takes some 30 bytes in H.264 and GIF: 70,000 pixels
    /// for each byte at 1920x1080.
    private static let perByte = 1 << 18

    /// - Parameter bytes: the clip's size.
    static func pixels(ofClipWith bytes: Int) -> Int {
        let (more, overflow) = bytes.multipliedReportingOverflow(by: perByte)
        return overflow ? .max : always.addingReportingOverflow(more).partialValue
    }
}
