package import Bytes
import CFFmpeg
package import MediaModel
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Owns an AVFormatContext: a clip, open for reading packets.
package final class Demuxer {
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// What `context` reads; outlives it.
    private let source: FileSource
    package let streams: [StreamInfo]
    /// libav's name of the container: `mov,mp4,m4a,3gp,3g2,mj2`.
    package let containerName: String
    /// Whether it is a QuickTime movie or one of the formats made of it: MP4, 3GPP, Motion JPEG 2000.
    package var isQuickTime: Bool { containerName.hasPrefix("mov,") }
    /// The container's first presentation time; players call this moment zero.
    package let startTime: MediaTime
    /// How long the clip lasts from `startTime`; nil if the container does not declare it or libav only estimates it.
    package let duration: MediaTime?
    /// The container's metadata, by libav's names; a stream's own under its index.
    package let tags: [String: String]
    package let streamTags: [[String: String]]
    /// False for bare streams, whose packets have no times: reading them again means opening them again.
    package let canSeek: Bool
    /// Why reading broke off before the clip's end, in the run since the last seek; nil where it did not.
    package private(set) var readError: LibavError?
    private var hasReadPacket = false
    /// By stream.
    private var decoderStates: [Int: DecoderState] = [:]

    /// Looks at a clip's first packets.
    ///
    /// Only containers that hold their media themselves are allowed, and libavformat can open no other file or address: a
    /// playlist or a script of a clip's name must not make us read what its writer chose.
    package init(_ file: InputFile) throws(LibavError) {
        LibavLog.takeOver()
        do throws(LibavError) {
            (context, source) = try Self.open(file)
        } catch {
            // libavformat takes a bare stream of Motion JPEG for the picture with which it begins.
            guard Self.refusedKind(error) == .picture,
                let ending = file.path.extension?.lowercased(), ["mjpg", "mjpeg"].contains(ending)
            else { throw error }
            (context, source) = try Self.open(file, as: "mjpeg")
        }
        do throws(LibavError) {
            try Self.findStreams(context)
        } catch {
            var context: UnsafeMutablePointer<AVFormatContext>? = context
            avformat_close_input(&context)
            throw error
        }
        let format = context
        containerName = String(cString: format.pointee.iformat.pointee.name)
        tags = Self.tags(format.pointee.metadata)
        streamTags = (0..<Int(format.pointee.nb_streams)).map {
            Self.tags(format.pointee.streams[$0]?.pointee.metadata)
        }
        let isEncrypted = Self.isEncrypted(container: containerName, tags)
        streams = zip(0..<Int(format.pointee.nb_streams), streamTags).compactMap { index, tags in
            format.pointee.streams[index].map {
                StreamInfo($0, isEncrypted: isEncrypted || tags[Self.matroskaKeyTag] != nil)
            }
        }
        canSeek = format.pointee.iformat.pointee.flags & AVFMT_NOTIMESTAMPS == 0
        let microseconds = AVRational(num: 1, den: AV_TIME_BASE)
        startTime = Self.startTime(MediaTime(ticks: format.pointee.start_time, microseconds) ?? .zero, streams)
        let isGuess = format.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
        duration =
            format.pointee.duration > 0 && !isGuess ? MediaTime(ticks: format.pointee.duration, microseconds) : nil
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    /// Pixels of a picture that is decoded. The largest that cameras make have 56 million (10560x5280, for all directions).
    package static let largestPicture = 60_000_000

    /// Decodes some pictures to find out what they are.
    private static func findStreams(_ context: UnsafeMutablePointer<AVFormatContext>) throws(LibavError) {
        var options = [OpaquePointer?](repeating: nil, count: Int(context.pointee.nb_streams))
        defer { for index in options.indices { av_dict_free(&options[index]) } }
        for index in options.indices {
            try check(av_dict_set(&options[index], "max_pixels", "\(largestPicture)", 0), "av_dict_set")
        }
        try check(avformat_find_stream_info(context, &options), "avformat_find_stream_info")
    }

    /// - Parameter format: libav's name of the container; nil finds it out.
    private static func open(
        _ file: InputFile, as format: String? = nil
    ) throws(LibavError) -> (UnsafeMutablePointer<AVFormatContext>, FileSource) {
        let source = try FileSource(file)
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        try check(av_dict_set(&options, "protocol_whitelist", "none", 0), "av_dict_set")
        try check(av_dict_set(&options, "format_whitelist", allowedFormats, 0), "av_dict_set")
        var context: UnsafeMutablePointer<AVFormatContext>? = try allocated(
            avformat_alloc_context(), "avformat_alloc_context")
        context?.pointee.pb = source.context
        context?.pointee.io_open = { _, _, _, _, _ in -EACCES }
        // Some formats are detected by file name, which need not be UTF-8.
        let name = file.path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: file.path.length + 1)) }
        // Where this fails, it frees the context.
        try check(
            avformat_open_input(&context, name, format.flatMap { av_find_input_format($0) }, &options),
            "avformat_open_input")
        return (try allocated(context, "avformat_open_input"), source)
    }

    /// libav reports the clip's start in whole microseconds, to which times in other units do not subtract to zero; the
    /// stream that begins then knows it exactly.
    private static func startTime(_ rounded: MediaTime, _ streams: [StreamInfo]) -> MediaTime {
        let microsecond = MediaTime(value: 1, timescale: AV_TIME_BASE)
        return streams.compactMap(\.startTime).first { rounded - microsecond < $0 && $0 < rounded + microsecond }
            ?? rounded
    }

    /// Goes to the last key frame of a stream at or before `time` on the container's clock, as its index has it.
    package func seek(to time: MediaTime, stream: Int) throws(LibavError) {
        guard let pointer = context.pointee.streams[stream] else { return }
        if !hasReadPacket { readFirstPacket(of: stream) }
        let ticks = time.ticks(pointer.pointee.time_base, .down)
        try check(av_seek_frame(context, Int32(stream), ticks, AVSEEK_FLAG_BACKWARD), "av_seek_frame")
        readError = nil
    }

    /// Notes what the stream's first packet changes (`DecoderState`), before a seek passes over it. libav has usually
    /// buffered it when the clip was opened.
    private func readFirstPacket(of stream: Int) {
        guard let packet = try? Packet() else { return }
        for _ in 0..<Self.mostPacketsBeforeFirst where decoderStates[stream] == nil {
            guard (try? read(into: packet)) == true else { return }
        }
    }

    /// Other streams' packets in front of a stream's first, in any sensible clip.
    private static let mostPacketsBeforeFirst = 256

    /// Reads only the packets of `wanted` streams from now on.
    package func select(streams wanted: Set<Int>) {
        for index in 0..<Int(context.pointee.nb_streams) {
            context.pointee.streams[index]?.pointee.discard = wanted.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// Some demuxers, MV's for one, return EAGAIN once for each missing packet. This is far more than any clip needs.
    private static let mostTriesInARow = 100_000

    /// Reads the next packet into `packet`; false at the end of the clip, which is also where an error breaks reading
    /// off (`readError`), as in files that were cut off or are damaged.
    ///
    /// - Throws: `LibavError` where not even the first packet can be read.
    package func read(into packet: Packet) throws(LibavError) -> Bool {
        // av_read_frame overwrites what the packet refers to without letting go of it.
        av_packet_unref(packet.pointer)
        var status = av_read_frame(context, packet.pointer)
        var tries = 1
        while status == AVErrorAgain, tries < Self.mostTriesInARow {
            status = av_read_frame(context, packet.pointer)
            tries += 1
        }
        if status == AVErrorEndOfFile { return false }
        do {
            try check(status, "av_read_frame")
        } catch {
            guard hasReadPacket, !error.isOutOfMemory else { throw error }
            readError = error
            return false
        }
        hasReadPacket = true
        if let stream = context.pointee.streams[packet.streamIndex] {
            packet.pointer.pointee.time_base = stream.pointee.time_base
            let codec = stream.pointee.codecpar.pointee.codec_id
            decoderStates[packet.streamIndex, default: DecoderState()].note(packet, of: codec)
        }
        return true
    }

    /// Nil until the stream's first packet has been read; see ``DecoderState``.
    func x264Build(ofStream stream: Int) -> Int? { decoderStates[stream]?.x264Build }

    /// Adds the side data of earlier packets to the first packet for a new decoder.
    func complete(_ packet: Packet) throws(LibavError) {
        try decoderStates[packet.streamIndex]?.complete(packet)
    }

    /// What files of formats that are no clips are.
    package enum RefusedKind: Sendable {
        /// It names other files or network addresses to open.
        case playlist
        /// A single picture.
        case picture
        /// Text that libav would draw.
        case text
    }

    /// What the file is that `init` has refused to open for its format; nil when something else was wrong.
    package static func refusedKind(_ error: LibavError) -> RefusedKind? {
        // The line begins with the format's name.
        guard let line = error.logLine, let end = line.firstRange(of: ": Format not on whitelist") else { return nil }
        return refusedKind(ofFormat: String(line[..<end.lowerBound]))
    }

    /// - Parameter format: libav's names of it, with commas between them.
    private static func refusedKind(ofFormat format: String) -> RefusedKind? {
        let names = format.split(separator: ",").map(String.init)
        if names.contains(where: { $0 == "image2" || $0.hasSuffix("_pipe") }) { return .picture }
        if names.contains(where: playlistFormats.contains) { return .playlist }
        return names.contains(where: textFormats.contains) ? .text : nil
    }

    /// The codec parameters and time base of a stream, to open a decoder with.
    func withStream<Result>(
        _ index: Int, _ body: (UnsafeMutablePointer<AVStream>) throws(LibavError) -> Result
    ) throws(LibavError) -> Result {
        guard index >= 0, index < Int(context.pointee.nb_streams), let stream = context.pointee.streams[index] else {
            throw LibavError(call: "stream \(index)", code: AVErrorInvalidArgument)
        }
        return try body(stream)
    }

    /// libavformat's tag of the key's identifier, for a Matroska track with content encryption.
    private static let matroskaKeyTag = "enc_key_id"

    /// Whether an ASF file has one of the Content Encryption Objects (ASF specification 3.14, 3.15), which libavformat
    /// reports as tags; a file of another kind may have tags of any name.
    private static func isEncrypted(container: String, _ tags: [String: String]) -> Bool {
        container.hasPrefix("asf")
            && (tags.keys.contains { $0.hasPrefix("ASF_") } || tags["encryption"]?.hasPrefix("ASF ") == true)
    }

    private static func tags(_ dictionary: OpaquePointer?) -> [String: String] {
        var tags: [String: String] = [:]
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            tags[String(cString: next.pointee.key)] = String(cString: next.pointee.value)
            entry = next
        }
        return tags
    }

    private static let playlistFormats: Set<String> = [
        "hls", "concat", "concatf", "dash", "imf", "webm_dash_manifest", "sdp", "rtsp", "rtp", "sap", "avisynth",
        "vapoursynth", "lavfi",
    ]

    private static let textFormats: Set<String> = [
        "tty", "ffmetadata", "tedcaptions", "bin", "adf", "idf", "xbin", "ingenient",
    ]

    private static let allowedFormats: String = {
        var names: [String] = []
        var state: UnsafeMutableRawPointer?
        while let format = av_demuxer_iterate(&state) {
            let name = String(cString: format.pointee.name)
            if refusedKind(ofFormat: name) == nil { names.append(name) }
        }
        return names.joined(separator: ",")
    }()
}
