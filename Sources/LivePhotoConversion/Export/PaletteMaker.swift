import FFmpegKit
import MediaModel

/// Chooses the palette for all frames of an animation with libavfilter's palettegen, which keeps only how often each
/// color occurs.
final class PaletteMaker {
    private let threads: Int
    private var graph: FilterGraph?
    private var count: Int64 = 0

    init(threads: Int) {
        self.threads = threads
    }

    func add(_ picture: Frame) throws {
        let filters = "\(AnimationFormat.toRGB),palettegen=stats_mode=\(AnimationFormat.paletteStatistics)"
        let graph = try graph ?? FilterGraph(filters, like: picture.shown(at: .zero), threads: threads)
        self.graph = graph
        try graph.send(picture.shown(at: MediaTime(value: count, timescale: 1)))
        count += 1
    }

    func finish() throws -> Frame {
        try graph?.send(nil)
        guard let palette = try graph?.receive() else {
            throw LivePhotoError(.internalError, nil, "the filters returned no palette")
        }
        return palette
    }
}
