import CFFmpeg
import MediaModel

/// Which libav this program runs with, and what of it we need is there.
package struct LibavVersions: Sendable {
    /// FFmpeg's release: `5.1.9-0+deb12u1`.
    package let release: String
    /// Name and version of each library: `libavcodec`, `59.37.100`.
    package let libraries: [(name: String, version: String)]
    /// x264's core and revision: `164 r3095 baee400`; nil when libavcodec has no libx264 or it does not encode.
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
    package static func hasFilter(_ name: String) -> Bool { avfilter_get_by_name(name) != nil }

    /// x264 writes its version only to a user data SEI of its output, so encode one small picture.
    private static func x264Version() -> String? {
        guard let rate = FrameRate(1) else { return nil }
        let settings = H264Encoder.Settings(
            size: PixelSize(width: 16, height: 16), color: .bt709, frameRate: rate, timescale: 600,
            preset: "ultrafast", crf: 30, keyFrameInterval: 1, parameters: [], threads: 1)
        var stream: [UInt8] = []
        do {
            let encoder = try H264Encoder(settings)
            let picture = try Frame.blank(PixelSize(width: 16, height: 16))
            try encoder.encode(picture) { stream += $0.annexB }
            try encoder.encode(nil) { stream += $0.annexB }
            stream += encoder.parameterSets
        } catch {
            return nil
        }
        let text = String(decoding: stream.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "\n") }, as: UTF8.self)
        guard let found = text.firstRange(of: "x264 - core ") else { return nil }
        return String(text[found.upperBound...].prefix { $0 != "-" && $0 != "\n" }.trimmed)
    }
}

extension Frame {
    /// A picture of 8-bit 4:2:0 whose samples are all zero.
    fileprivate static func blank(_ size: PixelSize) throws(LibavError) -> Frame {
        var picture: UnsafeMutablePointer<AVFrame>? = try allocated(av_frame_alloc(), "av_frame_alloc")
        defer { av_frame_free(&picture) }
        let frame = try allocated(picture, "av_frame_alloc")
        frame.pointee.width = Int32(clamping: size.width)
        frame.pointee.height = Int32(clamping: size.height)
        frame.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        frame.pointee.pts = 0
        try check(av_frame_get_buffer(frame, 0), "av_frame_get_buffer")
        let lines = frame.pointee.linesize
        frame.pointee.data.0?.update(repeating: 0, count: Int(lines.0) * size.height)
        frame.pointee.data.1?.update(repeating: 0, count: Int(lines.1) * size.height / 2)
        frame.pointee.data.2?.update(repeating: 0, count: Int(lines.2) * size.height / 2)
        return try Frame(moving: frame)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
