package import FFmpegKit

/// A step that makes one picture of another.
package enum PictureStep: Sendable, Hashable {
    /// Filters of libavfilter, in its syntax; not empty.
    case filters(String)
    /// Steadies the picture, each one by a correction of its own.
    case steadying
    /// Tone-maps a picture with linear light (`gbrpf32le`).
    case toneMapping(ToneCurve)
    /// A lookup table for pictures with RGB of 16 bits (`gbrp16le`).
    case colorTable(ColorTable)

    /// In the syntax of libavfilter, as far as it has the step.
    var description: String {
        switch self {
        case .filters(let text): text
        case .steadying: "steady"
        case .toneMapping: "tonemap"
        case .colorTable: "lut"
        }
    }
}
