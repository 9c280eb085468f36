import FFmpegKit
import LivePhotoKit

/// A clip open for reading, with every time on the clip's own clock: zero is where players begin.
final class ClipReader {
    private(set) var demuxer: Demuxer
    let video: StreamInfo
    let picture: VideoParameters
    let audio: StreamInfo?
    /// What the user may want to know of tracks that cannot be decoded: each one sentence.
    let soundWarnings: [String]
    let path: FilePath
    private let cancellation: CancellationFlag
    /// Whether nothing was read since the clip was opened.
    private var isAtStart = true

    /// - Throws: `LivePhotoError` for a clip that is not readable or has no picture.
    init(_ path: FilePath, _ cancellation: CancellationFlag) throws(LivePhotoError) {
        self.path = path
        self.cancellation = cancellation
        try ConversionEnvironment.loadLibraries()
        do {
            demuxer = try Demuxer(path)
        } catch {
            throw InputFileCheck.explain(error, path)
        }
        if let brand = demuxer.tags["major_brand"], Self.pictureBrands.contains(brand) {
            throw InputFileCheck.isPicture(path)
        }
        let candidates = demuxer.streams.filter { $0.video != nil && !$0.isAttachedPicture }
        let usable = candidates.filter { $0.isDecodable && ($0.video?.codedSize.shortEdge ?? 0) > 0 }
        guard let video = usable.first(where: \.isDefault) ?? usable.first, var picture = video.video else {
            throw Self.noPicture(path, demuxer.streams, candidates)
        }
        if demuxer.isQuickTime {
            picture.cleanAperture = CleanAperture(ofTrack: video.id, in: path, stored: picture.codedSize)
        }
        self.video = video
        self.picture = picture
        (audio, soundWarnings) = Self.chooseSound(demuxer)
    }

    /// The default track if it can be decoded, else the first that can; a sentence for each that was preferred to it.
    private static func chooseSound(_ demuxer: Demuxer) -> (StreamInfo?, [String]) {
        let tracks = demuxer.streams.filter { $0.audio != nil }.enumerated().map { (number: $0 + 1, stream: $1) }
        var refused: [(number: Int, stream: StreamInfo)] = []
        func warnings(_ instead: String) -> [String] {
            refused.map {
                let name = tracks.count == 1 ? "sound" : "audio track \($0.number)"
                let kind = $0.stream.codecName + ($0.stream.isDecodable ? " of a kind" : ",")
                return "the clip's \(name) is \(kind) which this build of FFmpeg cannot decode; \(instead)"
            }
        }
        for track in tracks.filter(\.stream.isDefault) + tracks.filter({ !$0.stream.isDefault }) {
            if (try? Decoder(demuxer, stream: track.stream.index, threads: 1)) != nil {
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
        if demuxer.canSeek, let time {
            isAtStart = false
            if (try? demuxer.seek(to: time + demuxer.startTime, stream: video.index)) != nil { return }
        }
        // Opening costs tens of milliseconds: libav decodes some pictures to find out what they are.
        if isAtStart { return }
        do {
            demuxer = try Demuxer(path)
        } catch {
            throw InputFileCheck.explain(error, path)
        }
        isAtStart = true
    }

    /// Reads the next packet into `packet`; false at the end of the clip.
    ///
    /// - Throws: `LibavError`; `LivePhotoError` when the task was cancelled.
    func read(into packet: Packet) throws -> Bool {
        try cancellation.check()
        isAtStart = false
        return try demuxer.read(into: packet)
    }

    func clipTime(_ time: MediaTime?) -> MediaTime? {
        time.map { demuxer.startTime == .zero ? $0 : $0 - demuxer.startTime }
    }

    /// How long a frame lasts of which nobody says it.
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
        let has = sound == 0 ? "" : " (it has \(sound) audio stream\(sound == 1 ? "" : "s"))"
        return LivePhotoError(.unusableMedia, path, "no video stream\(has); a Live Photo needs video")
    }
}
