/// The maximum size of a movie in either orientation: `1920x1080` also limits portrait pictures to 1080 by 1920 pixels.
public struct MaximumSize: OptionValue {
    /// The limit of the longer edge, from 16 to 8192 pixels.
    public let longEdge: Int
    /// The limit of the shorter edge, from 16 pixels to `longEdge`.
    public let shortEdge: Int

    /// The edges in either order; nil if one is outside of 16…8192.
    public init?(_ first: Int, _ second: Int) {
        let allowed = 16...8192
        guard allowed.contains(first), allowed.contains(second) else { return nil }
        longEdge = max(first, second)
        shortEdge = min(first, second)
    }

    public static let kind = "a size"
    public static let allowed = "two edges from 16 to 8192 pixels, such as 1920x1080, or 1080p"
    public static let jsonSchema =
        #""type": "string", "pattern": "^([0-9]{2,4}[x×][0-9]{2,4}|[0-9]{2,4}p|4[kK])$", "examples": ["1920x1080"]"#

    /// Reads two edges in either order, with `x` or `×` between them, or the lines of 16:9 pictures: `1080p`, `4k`.
    public init?(text: String) {
        let text = text.lowercased() == "4k" ? "2160p" : text
        if text.hasSuffix("p"), let lines = wholeNumber(text.dropLast()) {
            self.init((lines.multipliedReportingOverflow(by: 16).partialValue + 8) / 9 / 2 * 2, lines)
            return
        }
        let edges = text.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "×" }
        guard edges.count == 2, let first = wholeNumber(edges[0]), let second = wholeNumber(edges[1]) else {
            return nil
        }
        self.init(first, second)
    }

    /// Long edge first: `1920x1080`.
    public var description: String { "\(longEdge)x\(shortEdge)" }
}
