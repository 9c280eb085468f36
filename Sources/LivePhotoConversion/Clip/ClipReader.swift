import Bytes
import FFmpegKit
import LivePhotoKit
import MediaModel
import QuickTime

/// A clip open for reading, with all times on the clip's clock, which is zero where playback starts.
final class ClipReader {
    private(set) var demuxer: Demuxer
    let video: StreamInfo
    let picture: VideoParameters
    /// The time on the container's clock that is zero on the clip's: the first presentation time, or the start of a QuickTime
    /// or MP4 movie whose pictures are delayed by an empty edit, from which its players count.
    let zero: MediaTime
    /// The duration of empty edits at the start of a QuickTime or MP4 video track, which libav does not report.
    private let pictureDelay: MediaTime?
    /// Nil if the clip begins with a whole picture.
    private let cutPicture: CutPicture?
    /// Nil for a clip in another container.
    private let tracks: QuickTimeTracks?
    private(set) lazy var recordedBlur = tracks?.livePhotoInfo.flatMap { RecordedBlur($0) { clipTime($0) } }
    let audio: StreamInfo?
    /// Whether the clip has sound but all of it is encrypted.
    private(set) var hasEncryptedSound: Bool
    /// Whether the clip has a track of sound, even if it cannot be decoded.
    let hasSoundTrack: Bool
    /// Warnings about tracks that cannot be decoded: each one sentence.
    let soundWarnings: [String]
    private let file: InputFile
    var path: FilePath { file.path }
    /// False if packets have no times, or if the meaning of a packet depends on earlier packets.
    let canSeek: Bool
    /// Whether presentation times may be wrong if they equal the decode times: libav's MXF demuxer numbers packets in
    /// decode order, even if pictures are reordered.
    var mayPresentInDecodeOrder: Bool { demuxer.containerName == "mxf" && video.reorderedPictures > 0 }
    /// The error that ended reading since the last seek; nil if there was none.
    private(set) var damage: ClipDamage?
    /// The latest picture's time since the last seek.
    private var latestTime: MediaTime?
    private var order = PictureOrder()
    /// The key frames that were decoded and depend on no other picture, by their times, with their shapes.
    var completeKeyFrames: [MediaTime: PictureShape] = [:]
    let cancellation: CancellationFlag
    private var decodedPixels = 0
    /// Whether nothing has been read since the clip was opened.
    private var isAtStart = true
    /// What a `ClipDecoder` has left to the next one; nil as soon as anything else is read.
    var beginning: ClipBeginning?

    /// - Throws: `LivePhotoError` for a clip that cannot be read or has no video.
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
        self.tracks = tracks
        let container = demuxer.containerName
        func isEncrypted(_ stream: StreamInfo) -> Bool {
            stream.isEncrypted || tracks?.isEncrypted(stream.id) == true
                || stream.video != nil && ScramblingCheck.isScrambled(file, container: container, video: stream)
        }
        let candidates = demuxer.streams.filter { $0.video != nil && !$0.isAttachedPicture }
        let clear = candidates.filter { !isEncrypted($0) }
        guard candidates.isEmpty || !clear.isEmpty else { throw InputFileCheck.encryptedError(path) }
        let usable = clear.filter { $0.isDecodable && ($0.video?.codedSize.shortEdge ?? 0) > 0 }
        // libavformat from 7 on has a stream for the still picture of an animated AVIF or HEIF too, before the moving one.
        let moving = usable.filter { $0.frameCount != 1 }
        let shown = moving.isEmpty ? usable : moving
        guard let video = shown.first(where: \.isDefault) ?? shown.first, var picture = video.video else {
            throw Self.noPicture(path, demuxer.streams, candidates)
        }
        guard picture.codedSize.width * picture.codedSize.height <= Demuxer.largestPicture else {
            throw LivePhotoError(
                .unusableMedia, path,
                "its pictures of \(picture.codedSize) are larger than any camera's (at most"
                    + " \(Demuxer.largestPicture / 1_000_000) million pixels)")
        }
        if let orientation = tracks?.codedOrientation(video.id) { picture.orientation = orientation }
        picture.cleanAperture = tracks?.cleanAperture(video.id, stored: picture.codedSize)
        let delay = tracks?.delay(video.id)
        (pictureDelay, zero) = (delay, delay.map { $0 > .zero } == true ? .zero : demuxer.startTime)
        let hasMoved = (video.startTime ?? .zero) <= (delay ?? .zero)
        cutPicture = hasMoved ? tracks?.cutPicture(video.id) : nil
        self.video = video
        self.picture = picture
        // A palette, and the header of another sample description or FLV sequence, appear once, with the first packet
        // that they apply to. After a seek, RealMedia's sound, which is interleaved over many packets, gets wrong
        // times, GXF's sound gets times rounded to fields, and in a raw stream of MPEG-4 video, libavformat counts from
        // a wrong time.
        canSeek =
            demuxer.canSeek && !picture.pixelFormat.isPaletted && tracks?.hasSeveralDescriptions(video.id) != true
            && !["rm", "flv", "gxf", "m4v"].contains(demuxer.containerName)
        let sound = demuxer.streams.filter { $0.audio != nil }.map { (stream: $0, isEncrypted: isEncrypted($0)) }
        (audio, soundWarnings) = Self.chooseSound(demuxer, sound)
        hasSoundTrack = !sound.isEmpty
        hasEncryptedSound = audio == nil && sound.contains(where: \.isEncrypted)
    }

    /// The default track, or the first that can be decoded, and a warning for each rejected track.
    private static func chooseSound(
        _ demuxer: Demuxer, _ streams: [(stream: StreamInfo, isEncrypted: Bool)]
    ) -> (StreamInfo?, [String]) {
        let tracks = streams.enumerated().map { (number: $0 + 1, stream: $1.stream, isEncrypted: $1.isEncrypted) }
        var rejected: [(number: Int, stream: StreamInfo, isEncrypted: Bool)] = []
        func warnings(_ consequence: String) -> [String] {
            rejected.map {
                let name = tracks.count == 1 ? "sound" : "audio track \($0.number)"
                if $0.isEncrypted { return "the clip's \(name) is encrypted; \(consequence)" }
                let kind = $0.stream.codecName + ($0.stream.isDecodable ? " of a kind that" : ", which")
                return "the clip's \(name) is \(kind) this build of FFmpeg cannot decode; \(consequence)"
            }
        }
        for track in tracks.filter(\.stream.isDefault) + tracks.filter({ !$0.stream.isDefault }) {
            if !track.isEncrypted, (try? Decoder(demuxer, stream: track.stream.index, threads: 1)) != nil {
                return (track.stream, warnings("track \(track.number) is used"))
            }
            rejected.append(track)
        }
        return (nil, warnings("the movie has no sound"))
    }

    /// HEIF's brands of single pictures, which libav opens as movies (ISO/IEC 23008-12 10.2, AV1 Image File Format).
    private static let pictureBrands: Set<FileText> = ["mif1", "mif2", "heic", "heix", "heim", "heis", "avif"]

    /// Seeks to a key frame at or before `time`, according to the container's index, or to the clip's start if `time`
    /// is nil or the container cannot seek to it.
    func seek(to time: MediaTime?) throws(LivePhotoError) {
        (damage, latestTime, beginning, order) = (nil, nil, nil, PictureOrder())
        if canSeek, let time {
            isAtStart = false
            let place = time + zero - (cutPicture?.shift ?? .zero)
            if (try? demuxer.seek(to: place, stream: video.index)) != nil { return }
        }
        // Opening takes tens of milliseconds, because libav decodes some pictures.
        if isAtStart { return }
        if canSeek, demuxer.rewind() {
            isAtStart = true
            return
        }
        do {
            demuxer = try Demuxer(file)
        } catch {
            throw InputFileCheck.explain(error, file)
        }
        isAtStart = true
    }

    /// Reads the next packet into `packet`; false at the end of the clip, also where its times jump back.
    ///
    /// Pictures before the start of the clip are marked as hidden: a clip that was cut out of another one begins with
    /// pictures that are shown before its first key frame and need the pictures before it.
    ///
    /// - Throws: `LivePhotoError` if nothing can be read, the video is encrypted, or the task was cancelled.
    func read(into packet: Packet) throws(LivePhotoError) -> Bool {
        try cancellation.check()
        (isAtStart, beginning) = (false, nil)
        let isRead: Bool
        do {
            isRead = try demuxer.read(into: packet)
        } catch {
            throw InputFileCheck.explain(error, file)
        }
        guard isRead else {
            if damage == nil, let error = demuxer.readError {
                damage = ClipDamage(time: latestTime ?? .zero, reason: error.reason)
            }
            return false
        }
        if packet.streamIndex == video.index { cutPicture?.correct(packet) }
        if packet.isEncrypted {
            if packet.streamIndex == video.index { throw InputFileCheck.encryptedError(path) }
            if packet.streamIndex == audio?.index { hasEncryptedSound = true }
        }
        guard packet.streamIndex == video.index, let time = clipTime(packet.presentationTime ?? packet.decodeTime)
        else {
            return true
        }
        if !packet.isDiscarded {
            switch order.place(of: time, decodedAt: clipTime(packet.decodeTime)) {
            case .shown: break
            case .hidden: packet.discard()
            case .jump:
                damage = ClipDamage(
                    time: latestTime ?? .zero, reason: "its time stamps jump back, as where two recordings were joined")
                return false
            }
        }
        latestTime = max(latestTime ?? time, time)
        return true
    }

    /// Must be called for each decoded picture.
    ///
    /// - Throws: `LivePhotoError` for a clip that requires too much decoding for its file size.
    func countDecoded(_ size: PixelSize) throws(LivePhotoError) {
        decodedPixels += size.width * size.height
        guard decodedPixels <= DecodingBudget.pixels(ofClipWith: file.size) else {
            throw LivePhotoError(
                .unusableMedia, path,
                "takes far more decoding than a clip of \(counted(file.size, "byte")) does; it is damaged, or malicious"
            )
        }
    }

    /// The time of the clip's first picture; nil if it is not near the start of the file.
    func pictureStart() throws -> MediaTime? {
        if let delay = clipTime(pictureDelay), delay > clipTime(video.startTime) ?? .zero { return delay }
        // libavformat reports zero as the start time of all Matroska streams.
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

    /// The still time that the clip has as the movie of a Live Photo.
    var stillTime: MediaTime? { clipTime(tracks?.stillTime) }

    /// The end of the picture that a QuickTime movie shows last, by its edit list or its own duration. The declared length is
    /// the sum of the durations, which ends earlier if composition offsets delay pictures.
    var endOfShownPictures: MediaTime? { clipTime(tracks?.endOfPictures) }

    /// Some demuxers ignore the selection of streams.
    private static let mostPacketsBeforePicture = 10_000

    func clipTime(_ time: MediaTime?) -> MediaTime? {
        time.map { zero == .zero ? $0 : $0 - zero }
    }

    /// The time in the clip for one on the timeline of a movie. They differ in a QuickTime movie without an edit list whose
    /// first picture is shown later than at 0; other containers have no timeline of their own.
    func clipTime(ofMovie time: MediaTime) -> MediaTime { tracks == nil || zero == .zero ? time : time - zero }

    /// The time on the timeline of a movie for one in the clip.
    func movieTime(ofClip time: MediaTime) -> MediaTime { tracks == nil || zero == .zero ? time : time + zero }

    /// Warnings about the video track: each one sentence.
    var trackWarnings: [String] {
        var warnings: [String] = []
        if tracks?.changesSpeed(video.id) == true {
            warnings.append("the clip's edit list plays its pictures at another speed, which is ignored")
        }
        if tracks?.hasPause(video.id) == true {
            warnings.append(
                "the clip's edit list has a pause, in which the movie may show pictures that the list hides")
        }
        return warnings
    }

    /// Used for frames without a declared duration.
    var nominalFrameDuration: MediaTime { (picture.averageFrameRate ?? .whole(25)).frameDuration }

    var metadata: ClipMetadata {
        ClipMetadata(tags: demuxer.tags.merging(demuxer.streamTags[video.index]) { container, _ in container })
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

/// How many pixels of a clip may be decoded in total. A file of a few kilobytes can contain thousands of large
/// pictures.
private enum DecodingBudget {
    /// Allowed for any clip: twice 8 s of 1080p60, for a window and the frames before it from a key frame on.
    private static let minimum = 1 << 31
    /// Pixels for each byte of the clip. A picture that repeats the previous one takes some 30 bytes in H.264 and GIF:
    /// 70,000 pixels for each byte at 1920x1080.
    private static let perByte = 1 << 18

    /// - Parameter bytes: the clip's size.
    static func pixels(ofClipWith bytes: Int) -> Int {
        let (more, overflow) = bytes.multipliedReportingOverflow(by: perByte)
        return overflow ? .max : minimum.addingReportingOverflow(more).partialValue
    }
}
