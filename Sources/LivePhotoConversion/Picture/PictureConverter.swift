import FFmpegKit
import LivePhotoKit

/// Makes pictures for an encoder of those of the clip, and adapts its steps when the clip changes its size or format.
final class PictureConverter {
    private let filters: PictureFilters
    private let threads: Int
    private var stages: [Stage] = []
    /// Whether any picture so far has had transparent pixels.
    private(set) var hasMetTransparency = false

    init(_ filters: PictureFilters, threads: Int) {
        self.filters = filters
        self.threads = threads
    }

    func convert(_ picture: Frame) throws -> Frame {
        if !hasMetTransparency { hasMetTransparency = filters.isTransparent(picture) }
        if stages.first?.accepts(picture) != true {
            stages = filters.adapted(to: picture).steps.map { step in
                switch step {
                case .filters(let text): .filters(Chain(text, threads: threads))
                case .colorTable(let table): .colorTable(table)
                }
            }
        }
        return try stages.reduce(picture) { try $1.convert($0) }
    }

    private enum Stage {
        case filters(Chain)
        case colorTable(ColorTable)

        func accepts(_ picture: Frame) -> Bool {
            if case .filters(let chain) = self { chain.accepts(picture) } else { false }
        }

        func convert(_ picture: Frame) throws -> Frame {
            switch self {
            case .filters(let chain): try chain.convert(picture)
            case .colorTable(let table): try picture.mapped(by: table)
            }
        }
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
