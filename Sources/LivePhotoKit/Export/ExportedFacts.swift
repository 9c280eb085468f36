package import Bytes
package import MediaModel
import QuickTime
import StillImage

/// The structure of an exported file, read without decoding it.
package struct ExportedFacts: Sendable {
    package enum Kind: Sendable, Hashable {
        case gif, webP, jpeg
        /// MP4 and AVIF.
        case movie
    }

    /// The size for display.
    package var size = PixelSize(width: 0, height: 0)
    package var frames = 0
    /// How long all frames are shown.
    package var duration = MediaTime.zero
    /// The duration of the last frame of an animated WebP, and its place in the file.
    var lastOfWebP: (milliseconds: Int64, offset: Int)?

    init() {}

    /// - Throws: `ParseError` for a damaged file, or one of another kind; `Errno` of pread(2).
    package init(of file: InputFile, as kind: Kind) throws {
        switch kind {
        case .gif: try self.init(gif: file)
        case .webP: try self.init(webP: file)
        case .movie: try self.init(movie: file)
        case .jpeg:
            self.init()
            let jpeg = try JPEG(file)
            guard try file.bytes(at: max(file.size - 2, 0), count: 2) == [0xFF, 0xD9] else {
                throw ParseError(.truncated, in: "JPEG", at: file.size, expected: "the end of the image")
            }
            (size, frames) = (jpeg.size, 1)
        }
    }

    /// The only track with pictures; an AVIF's has the handler `pict`.
    private init(movie file: InputFile) throws {
        let tracks = try MovieReader(file).tracks.filter { $0.kind == .video || $0.kind == .other("pict") }
        guard let track = tracks.first, tracks.count == 1 else {
            throw ParseError(.missing, in: "movie", at: 0, expected: "one track of pictures, found \(tracks.count)")
        }
        let descriptions = track.box.media.information.sampleTable.descriptions
        guard let entry = try descriptions.firstEntry(as: VisualSampleEntry.self) else {
            throw ParseError(.missing, in: "stsd", at: 0, expected: "a description of the pictures")
        }
        let times = try track.frameTimes()
        (size, frames) = (entry.size, times.count)
        duration = (times.end ?? .zero) - (times.times.first ?? .zero)
        for sample in try track.samples() where sample.offset + sample.size > file.size {
            throw ParseError(.truncated, in: "movie", at: sample.offset, expected: "\(sample.size) bytes of a sample")
        }
    }
}
