package import Bytes
import CFFmpeg
package import MediaModel
import SystemPackage

/// Owns an AVFormatContext: a clip, open for reading packets.
package final class Demuxer {
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// What `context` reads; outlives it.
    private let source: FileSource
    package let streams: [StreamInfo]
    /// libav's name of the container: `mov,mp4,m4a,3gp,3g2,mj2`.
    package let containerName: String
    /// Whether it is a QuickTime movie or a format derived from it: MP4, 3GPP, Motion JPEG 2000.
    package var isQuickTime: Bool { containerName.hasPrefix("mov,") }
    /// The container's first presentation time; players call this moment zero.
    package let startTime: MediaTime
    /// How long the clip lasts from `startTime`; nil if the container does not declare it or libav only estimates it.
    package let duration: MediaTime?
    /// The container's metadata, by libav's names.
    package let tags: [FileText: FileText]
    /// Each stream's metadata, by stream index.
    package let streamTags: [[FileText: FileText]]
    /// False for raw streams, whose packets have no times: to read them again, open the file again.
    package let canSeek: Bool
    /// The error that ended reading since the last seek; nil if there was none.
    package private(set) var readError: LibavError?
    private var hasReadPacket = false
    /// By stream index.
    private var decoderStates: [Int: DecoderState] = [:]

    /// Opens a clip and reads its first packets.
    ///
    /// Only containers that hold their media themselves are allowed, and libavformat can open no other file or address:
    /// a playlist or a script with a clip's name must not make us read files that its author chose.
    package init(_ file: InputFile) throws(LibavError) {
        LibavLog.takeOver()
        do throws(LibavError) {
            (context, source) = try Self.open(file)
        } catch {
            // libavformat detects a raw Motion JPEG stream as the single picture that it begins with.
            let suffix = file.path.extension?.lowercased() ?? ""
            guard Self.refusedKind(error) == .picture, ["mjpg", "mjpeg"].contains(suffix) else { throw error }
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
        let isEstimate = format.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
        duration =
            format.pointee.duration > 0 && !isEstimate ? MediaTime(ticks: format.pointee.duration, microseconds) : nil
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    /// Maximum number of pixels in a picture. The largest from cameras have 56 million (10560x5280, 360 degrees).
    package static let largestPicture = 60_000_000

    /// Decodes some pictures to find out what they are.
    private static func findStreams(_ context: UnsafeMutablePointer<AVFormatContext>) throws(LibavError) {
        var options = [OpaquePointer?](repeating: nil, count: Int(context.pointee.nb_streams))
        defer { for index in options.indices { av_dict_free(&options[index]) } }
        for index in options.indices {
            try check(av_dict_set(&options[index], "max_pixels", "\(largestPicture)", 0), "av_dict_set")
        }
        let stated = options.indices.map { StatedColor(context.pointee.streams[$0]) }
        try check(avformat_find_stream_info(context, &options), "avformat_find_stream_info")
        for (index, color) in stated.enumerated() { color?.complete(context.pointee.streams[index]) }
    }

    /// - Parameter format: libav's name of the container; nil detects it.
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
        context?.pointee.io_open = { _, _, _, _, _ in -Errno.permissionDenied.rawValue }
        // Some formats are detected by file name, which need not be UTF-8.
        let name = file.path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: file.path.length + 1)) }
        // It frees the context if it fails.
        try check(
            avformat_open_input(&context, name, format.flatMap { av_find_input_format($0) }, &options),
            "avformat_open_input")
        return (try allocated(context, "avformat_open_input"), source)
    }

    /// libav rounds the clip's start to microseconds, so times in other units minus this start would not be exactly
    /// zero. The stream that begins first has the exact value.
    private static func startTime(_ rounded: MediaTime, _ streams: [StreamInfo]) -> MediaTime {
        let microsecond = MediaTime(value: 1, timescale: AV_TIME_BASE)
        return streams.compactMap(\.startTime).first { rounded - microsecond < $0 && $0 < rounded + microsecond }
            ?? rounded
    }

    /// Seeks to the last key frame of a stream at or before `time` on the container's clock, according to its index.
    package func seek(to time: MediaTime, stream: Int) throws(LibavError) {
        guard let pointer = context.pointee.streams[stream] else { return }
        if !hasReadPacket { readFirstPacket(of: stream) }
        let ticks = time.ticks(pointer.pointee.time_base, .down)
        try check(av_seek_frame(context, Int32(stream), ticks, AVSEEK_FLAG_BACKWARD), "av_seek_frame")
        readError = nil
    }

    /// Returns to the first packet of every stream without opening the clip again, which takes tens of milliseconds.
    ///
    /// libavformat finds a place in one stream and seeks to its time in the others. So it finds the first packets of all if
    /// the place is in the stream whose index begins first.
    ///
    /// - Returns: false if the clip has to be opened again, because this is not possible or not certain to be exact.
    package func rewind() -> Bool {
        guard isQuickTime, canSeek else { return false }
        var first: (stream: Int, time: MediaTime, isKey: Bool)?
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[index], let entry = avformat_index_get_entry(stream, 0),
                let time = MediaTime(ticks: entry.pointee.timestamp, stream.pointee.time_base)
            else { continue }
            let isKey = entry.pointee.flags & AVINDEX_KEYFRAME != 0
            let isEarlier = first.map { time < $0.time || time == $0.time && !isKey } ?? true
            // In a stream other than that of the place, libavformat looks for a key frame.
            guard isKey || isEarlier else { return false }
            if isEarlier {
                guard first?.isKey ?? true else { return false }
                first = (index, time, isKey)
            }
        }
        guard let first, let stream = context.pointee.streams[first.stream] else { return false }
        let ticks = (first.time - MediaTime(value: 1, timescale: 1)).ticks(stream.pointee.time_base, .down)
        guard av_seek_frame(context, Int32(first.stream), ticks, AVSEEK_FLAG_BACKWARD) >= 0 else { return false }
        readError = nil
        return true
    }

    /// Records the state in the stream's first packet (`DecoderState`) before a seek skips it. libav has usually
    /// buffered that packet when it opened the clip.
    private func readFirstPacket(of stream: Int) {
        guard let packet = try? Packet() else { return }
        for _ in 0..<Self.mostPacketsBeforeFirst where decoderStates[stream] == nil {
            guard (try? read(into: packet)) == true else { return }
        }
    }

    /// Limit of other streams' packets before a stream's first.
    private static let mostPacketsBeforeFirst = 256

    /// Reads only the packets of `selected` streams from now on.
    package func select(streams selected: Set<Int>) {
        for index in 0..<Int(context.pointee.nb_streams) {
            context.pointee.streams[index]?.pointee.discard =
                selected.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// Some demuxers, such as MV's, return EAGAIN once for each missing packet. This is far more than any clip needs.
    private static let mostTriesInARow = 100_000

    /// Reads the next packet into `packet`; false at the end of the clip. An error, as in truncated or damaged files,
    /// also ends the clip and sets `readError`.
    ///
    /// - Throws: `LibavError` if not even the first packet can be read.
    package func read(into packet: Packet) throws(LibavError) -> Bool {
        // av_read_frame overwrites the packet without freeing its data.
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

    /// See ``DecoderState``; nil until the stream's first packet has been read.
    func x264Build(ofStream stream: Int) -> Int? { decoderStates[stream]?.x264Build }

    /// Adds the side data of earlier packets to the first packet for a new decoder.
    func complete(_ packet: Packet) throws(LibavError) {
        try decoderStates[packet.streamIndex]?.complete(packet)
    }

    /// Kinds of files that libav reads but that are not clips.
    package enum RefusedKind: Sendable {
        /// Names other files or network addresses to open.
        case playlist
        /// A single picture.
        case picture
        /// Text, which libav would render.
        case text
    }

    /// The kind of a file whose format `init` has refused to open; nil for all other errors.
    package static func refusedKind(_ error: LibavError) -> RefusedKind? {
        // The line begins with the format's name.
        guard let line = error.logLine, let end = line.firstRange(of: ": Format not on whitelist") else { return nil }
        return refusedKind(ofFormat: String(line[..<end.lowerBound]))
    }

    /// - Parameter format: libav's names of the format, separated by commas.
    private static func refusedKind(ofFormat format: String) -> RefusedKind? {
        let names = format.split(separator: ",").map(String.init)
        if names.contains(where: { $0 == "image2" || $0.hasSuffix("_pipe") }) { return .picture }
        if names.contains(where: playlistFormats.contains) { return .playlist }
        return names.contains(where: textFormats.contains) ? .text : nil
    }

    /// Calls `body` with a stream, to open a decoder for it.
    func withStream<Result>(
        _ index: Int, _ body: (UnsafeMutablePointer<AVStream>) throws(LibavError) -> Result
    ) throws(LibavError) -> Result {
        guard index >= 0, index < Int(context.pointee.nb_streams), let stream = context.pointee.streams[index] else {
            throw LibavError(call: "stream \(index)", code: AVErrorInvalidArgument)
        }
        return try body(stream)
    }

    /// libavformat's tag for the key identifier of an encrypted Matroska track.
    private static let matroskaKeyTag: FileText = "enc_key_id"

    /// Whether an ASF file has one of the Content Encryption Objects (ASF specification 3.14, 3.15), which libavformat
    /// reports as tags. Other containers may use these tag names freely.
    private static func isEncrypted(container: String, _ tags: [FileText: FileText]) -> Bool {
        container.hasPrefix("asf")
            && (tags.keys.contains { $0.hasPrefix("ASF_") } || tags["encryption"]?.hasPrefix("ASF ") == true)
    }

    private static func tags(_ dictionary: OpaquePointer?) -> [FileText: FileText] {
        var tags: [FileText: FileText] = [:]
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            tags[text(next.pointee.key)] = text(next.pointee.value)
            entry = next
        }
        return tags
    }

    private static func text(_ start: UnsafePointer<CChar>) -> FileText {
        FileText(UnsafeBufferPointer(start: start, count: strlen(start)).lazy.map { UInt8(bitPattern: $0) })
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
