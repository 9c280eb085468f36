import Bytes
import LivePhotoKit
import LivePhotoRequests
import WebServer

/// Frames of a clip as JPEGs in one file, and what is known of each.
struct FramePack: Sendable {
    struct Frame: Encodable, Sendable {
        /// The presentation time in the clip.
        let seconds: Double
        /// What `--still` takes for this frame.
        let still: String
        /// The size of its JPEG.
        let bytes: Int
    }

    private struct Header: Encodable {
        let frames: [Frame]
        let width: Int
        let height: Int
        /// The end of the part that is complete.
        let to: Double?
    }

    let frames: [Frame]
    let size: PixelSize
    /// The end of the part of the clip whose frames are all here, in seconds; nil for the frames of a strip.
    let end: Double?
    private let file: InputFile
    /// Of the first picture in the file.
    private let offset: Int

    /// - Parameter file: the JPEGs one after another, checked.
    init(_ frames: [Frame], _ size: PixelSize, end: Double?, in file: InputFile) {
        self.init(frames, size, end: end, in: file, at: 0)
    }

    private init(_ frames: [Frame], _ size: PixelSize, end: Double?, in file: InputFile, at offset: Int) {
        (self.frames, self.size, self.end, self.file, self.offset) = (frames, size, end, file, offset)
    }

    /// The frames that are shown in a part.
    ///
    /// - Parameters:
    ///   - start: in seconds.
    ///   - stop: in seconds; nil for the end.
    func part(from start: Double, to stop: Double?) -> FramePack {
        let first = frames.lastIndex { $0.seconds <= start + Self.rounding } ?? 0
        let last = stop.flatMap { stop in frames.firstIndex { $0.seconds >= stop - Self.rounding } } ?? frames.count
        let kept = frames[first..<max(last, min(first + 1, frames.count))]
        let next = kept.endIndex < frames.count ? frames[kept.endIndex].seconds : end
        return FramePack(
            Array(kept), size, end: next, in: file, at: offset + frames[..<first].reduce(0) { $0 + $1.bytes })
    }

    /// Four bytes with the size of the header, the header as JSON, and the pictures.
    func body() throws -> ResponseBody {
        let header = Array(
            try JSON.text(Header(frames: frames, width: size.width, height: size.height, to: end)).utf8)
        var body = ResponseBody()
        body.append((0..<4).map { UInt8(truncatingIfNeeded: header.count >> (24 - 8 * $0)) } + header)
        body.append(offset..<offset + frames.reduce(0) { $0 + $1.bytes }) { [file] in file }
        return body
    }

    /// The JPEG of the frame that is shown at a time; nil if it is not here.
    func jpeg(at seconds: Double) throws -> [UInt8]? {
        guard let index = frames.lastIndex(where: { $0.seconds <= seconds + Self.rounding }),
            index + 1 < frames.count || end.map({ seconds < $0 }) ?? false
                || abs(frames[index].seconds - seconds) <= Self.rounding
        else { return nil }
        let start = frames[..<index].reduce(offset) { $0 + $1.bytes }
        return try file.bytes(at: start, count: frames[index].bytes)
    }

    /// Of times in JSON, in seconds.
    static let rounding = 0.000_01
}
