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
    /// Of libavfilter.
    private(set) var filters: [String] = []
    private var layout = Layout.encoder

    /// - Parameter target: of the encoder.
    init(_ target: PictureFilters.Target) {
        self.target = target
    }

    /// - Parameter layout: nil for filters that take any.
    mutating func append(_ new: [String], in layout: Layout?) {
        if let layout { convert(to: layout) }
        filters += new
    }

    mutating func convert(to new: Layout) {
        guard new != layout else { return }
        filters += PictureFilters.conversion(from: layout, to: new, target, target.canvas.picture.size)
        layout = new
    }
}
