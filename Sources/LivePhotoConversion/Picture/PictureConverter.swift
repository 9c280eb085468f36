import FFmpegKit
import LivePhotoKit

/// Makes pictures for an encoder of those of the clip, and adapts its steps when the clip changes its size or format.
final class PictureConverter {
    private let filters: PictureFilters
    private let threads: Int
    private let isSteadied: Bool
    private var stages: [Stage] = []
    /// Whether any picture so far has had transparent pixels.
    private(set) var hasMetTransparency = false

    /// - Parameter isSteadied: whether pictures are steadied before they are adjusted.
    init(_ filters: PictureFilters, threads: Int, isSteadied: Bool = false) {
        (self.filters, self.threads, self.isSteadied) = (filters, threads, isSteadied)
    }

    /// - Parameter correction: steadies the picture; nil leaves it where it is.
    func convert(_ picture: Frame, steadiedBy correction: PictureCorrection? = nil) throws -> Frame {
        if !hasMetTransparency { hasMetTransparency = filters.isTransparent(picture) }
        if stages.first?.accepts(picture) != true {
            let adapted = filters.adapted(to: picture)
            stages = (isSteadied ? adapted.steadiedSteps : adapted.steps).map { step in
                switch step {
                case .filters(let text): .filters(Chain(text, threads: threads))
                case .steadying: .steadying
                case .toneMapping(let curve): .toneMapping(ToneMapper(curve))
                case .colorTable(let table): .colorTable(table)
                }
            }
        }
        return try stages.reduce(picture) { try $1.convert($0, correction) }
    }

    private enum Stage {
        case filters(Chain)
        case steadying
        case toneMapping(ToneMapper)
        case colorTable(ColorTable)

        func accepts(_ picture: Frame) -> Bool {
            if case .filters(let chain) = self { chain.accepts(picture) } else { false }
        }

        func convert(_ picture: Frame, _ correction: PictureCorrection?) throws -> Frame {
            switch self {
            case .filters(let chain): try chain.convert(picture)
            case .steadying: try correction.map { try picture.steadied(by: $0) } ?? picture
            case .toneMapping(let mapper): try mapper.map(picture)
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
