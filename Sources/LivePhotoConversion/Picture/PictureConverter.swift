import FFmpegKit
import LivePhotoKit

/// Sends pictures through a filter chain, and creates a new chain when the clip changes its size or format.
final class PictureConverter {
    private let filters: PictureFilters
    private let threads: Int
    private var chain: Chain?
    /// Whether any picture so far has had transparent pixels.
    private(set) var hasMetTransparency = false

    init(_ filters: PictureFilters, threads: Int) {
        self.filters = filters
        self.threads = threads
    }

    /// The filter chains output one picture for each input picture.
    func convert(_ picture: Frame) throws -> Frame {
        if !hasMetTransparency { hasMetTransparency = filters.isTransparent(picture) }
        if let chain, chain.accepts(picture) { return try chain.convert(picture) }
        let filters = filters.adapted(to: picture)
        guard !filters.description.isEmpty else { return picture }
        let chain = Chain(filters.description, threads: threads)
        self.chain = chain
        return try chain.convert(picture)
    }

    /// Filters that output one picture for each input picture.
    final class Chain {
        private let filters: String
        private let threads: Int
        private var graph: FilterGraph?

        /// - Parameter filters: in libavfilter's syntax; not empty.
        init(_ filters: String, threads: Int = 1) {
            self.filters = filters
            self.threads = threads
        }

        /// Whether a picture has the size and format of the ones before.
        func accepts(_ picture: Frame) -> Bool { graph?.accepts(picture) == true }

        func convert(_ picture: Frame) throws -> Frame {
            let graph: FilterGraph
            if let current = self.graph, current.accepts(picture) {
                graph = current
            } else {
                graph = try FilterGraph(filters, like: picture, threads: threads)
                self.graph = graph
            }
            try graph.send(picture)
            guard let converted = try graph.receive() else {
                throw LivePhotoError(.internalError, nil, "the filters returned no picture")
            }
            return converted
        }
    }
}
