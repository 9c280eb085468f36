import FFmpegKit
import LivePhotoKit

/// Sends pictures through a filter chain, and creates a new chain when the clip changes its size or format.
final class PictureConverter {
    private let filters: PictureFilters
    private let threads: Int
    private var graph: FilterGraph?
    /// Whether any picture so far has had transparent pixels.
    private(set) var hasMetTransparency = false

    init(_ filters: PictureFilters, threads: Int) {
        self.filters = filters
        self.threads = threads
    }

    /// The filter chains output one picture for each input picture.
    func convert(_ picture: Frame) throws -> Frame {
        if !hasMetTransparency { hasMetTransparency = filters.isTransparent(picture) }
        let graph: FilterGraph
        if let current = self.graph, current.accepts(picture) {
            graph = current
        } else {
            let filters = filters.adapted(to: picture)
            guard !filters.description.isEmpty else { return picture }
            graph = try FilterGraph(filters.description, like: picture, threads: threads)
            self.graph = graph
        }
        try graph.send(picture)
        guard let converted = try graph.receive() else {
            throw LivePhotoError(.internalError, nil, "the filters returned no picture")
        }
        return converted
    }
}
