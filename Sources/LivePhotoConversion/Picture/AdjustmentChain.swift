import FFmpegKit
import MediaModel

/// Filters for an upright picture in the layout of the encoder, which need it in other layouts: converts as rarely as possible.
struct AdjustmentChain {
    enum Layout {
        /// That of the encoder, in which the picture begins and ends.
        case encoder
        /// BT.709 with limited range and chroma of full size, 8 bits.
        case yuv
        /// Full range, 8 bits.
        case rgb
        /// Full range, 16 bits.
        case deepRGB

        /// libav's name.
        func format(_ target: PictureFilters.Target) -> String {
            switch self {
            case .encoder: target.format
            case .yuv: "yuv444p"
            case .rgb: "gbrp"
            case .deepRGB: "gbrp16le"
            }
        }
    }

    let target: PictureFilters.Target
    /// All steps but the filters after the last of them.
    private var steps: [PictureStep]
    private var filters: [String]
    private var layout = Layout.encoder

    /// - Parameters:
    ///   - target: of the encoder.
    ///   - steps: that come first.
    ///   - filters: that follow and give a picture in the layout of the encoder.
    init(_ target: PictureFilters.Target, after steps: [PictureStep], _ filters: [String]) {
        (self.target, self.steps, self.filters) = (target, steps, filters)
    }

    /// - Parameters:
    ///   - new: filters of libavfilter.
    ///   - layout: nil for filters that take any.
    mutating func append(_ new: [String], in layout: Layout?) {
        if let layout { convert(to: layout) }
        filters += new
    }

    mutating func append(_ table: ColorTable) { append(.colorTable(table), in: .deepRGB) }

    /// Adds the step that steadies a picture.
    mutating func appendSteadying() { append(.steadying, in: .encoder) }

    private mutating func append(_ step: PictureStep, in layout: Layout) {
        convert(to: layout)
        steps += (filters.isEmpty ? [] : [.filters(filters.joined(separator: ","))]) + [step]
        filters = []
    }

    /// All steps, to a picture in the layout of the encoder.
    ///
    /// - Parameter filters: that follow.
    mutating func finish(with filters: [String]) -> [PictureStep] {
        append(filters, in: .encoder)
        return steps + (self.filters.isEmpty ? [] : [.filters(self.filters.joined(separator: ","))])
    }

    private mutating func convert(to new: Layout) {
        guard new != layout else { return }
        filters += PictureFilters.conversion(from: layout, to: new, target, target.canvas.picture.size)
        layout = new
    }
}
