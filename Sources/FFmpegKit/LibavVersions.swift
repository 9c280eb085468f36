import CFFmpeg
import MediaModel

/// The linked versions of libav and x264, and which encoders, decoders and filters they have.
package struct LibavVersions: Sendable {
    /// FFmpeg's release: `5.1.9-0+deb12u1`.
    package let release: String
    /// Name and version of each library: `libavcodec`, `59.37.100`.
    package let libraries: [(name: String, version: String)]
    /// x264's core and revision: `164 r3095 baee400`; nil if libavcodec has no libx264 or it fails to encode.
    package let x264: String?

    package init() {
        LibavLog.takeOver()
        release = String(cString: av_version_info())
        libraries = [
            ("libavutil", avutil_version()), ("libavcodec", avcodec_version()), ("libavformat", avformat_version()),
            ("libavfilter", avfilter_version()),
        ].map { ($0, "\($1 >> 16).\($1 >> 8 & 0xFF).\($1 & 0xFF)") }
        x264 = Self.x264Version()
    }

    package static func hasEncoder(_ name: String) -> Bool { avcodec_find_encoder_by_name(name) != nil }
    package static func hasDecoder(_ name: String) -> Bool { avcodec_find_decoder_by_name(name) != nil }
    package static func hasMuxer(_ name: String) -> Bool { av_guess_format(name, nil, nil) != nil }
    package static func hasFilter(_ name: String) -> Bool { avfilter_get_by_name(name) != nil }

    /// Whether a filter has an option of its own, which depends on the version of libavfilter.
    package static func hasOption(_ option: String, ofFilter name: String) -> Bool {
        guard var options = avfilter_get_by_name(name)?.pointee.priv_class else { return false }
        return av_opt_find(&options, option, nil, 0, AV_OPT_SEARCH_FAKE_OBJ) != nil
    }

    /// Whether a muxer has an option of its own, which depends on the version of libavformat.
    package static func hasOption(_ option: String, ofMuxer name: String) -> Bool {
        guard var options = av_guess_format(name, nil, nil)?.pointee.priv_class else { return false }
        return av_opt_find(&options, option, nil, 0, AV_OPT_SEARCH_FAKE_OBJ) != nil
    }

    /// x264 writes its version only into a user data SEI message of its output, so encode one small picture.
    private static func x264Version() -> String? {
        guard let rate = FrameRate(1) else { return nil }
        let settings = VideoEncoder.Settings(
            size: PixelSize(width: 16, height: 16), color: .bt709, frameRate: rate, timescale: 600,
            preset: "ultrafast", crf: 30, keyFrameInterval: 1, parameters: [])
        var stream: [UInt8] = []
        do {
            let encoder = try VideoEncoder(settings)
            let chroma = [UInt8](repeating: 0, count: 8 * 8)
            let picture = try Frame(
                size: settings.size, format: "yuv420p", color: .bt709,
                planes: [[UInt8](repeating: 0, count: 16 * 16), chroma, chroma])
            try encoder.encode(picture.shown(at: .zero)) { stream += $0.annexB }
            try encoder.encode(nil) { stream += $0.annexB }
            stream += encoder.parameterSets
        } catch {
            return nil
        }
        let text = String(decoding: stream.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "\n") }, as: UTF8.self)
        guard let found = text.firstRange(of: "x264 - core ") else { return nil }
        // "x264 - core 164 r3095 baee400 - H.264/MPEG-4 AVC codec - …"
        return text[found.upperBound...].prefix { $0 != "-" && $0 != "\n" }.split(separator: " ").joined(separator: " ")
    }
}
