/// The largest picture that a movie may have, whichever way it stands: `1920x1080` also bounds an upright picture of
/// 1080 by 1920 pixels.
public struct MaximumSize: OptionValue {
    /// Pixels, from 16 to 8192.
    public let longEdge: Int
    /// Pixels, from 16 to 8192; not above `longEdge`.
    public let shortEdge: Int

    /// A size of two edges in either order; nil when one is outside of 16…8192.
    public init?(_ first: Int, _ second: Int) {
        let allowed = 16...8192
        guard allowed.contains(first), allowed.contains(second) else { return nil }
        longEdge = max(first, second)
        shortEdge = min(first, second)
    }

    public init(_ text: String) throws(OptionError) {
        let edges = text.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "×" }
        guard edges.count == 2, let first = wholeNumber(edges[0]), let second = wholeNumber(edges[1]),
            let size = MaximumSize(first, second)
        else {
            throw OptionError(text, isNot: "a size", write: "two edges from 16 to 8192 pixels, as 1920x1080")
        }
        self = size
    }

    /// Long edge first: `1920x1080`.
    public var description: String { "\(longEdge)x\(shortEdge)" }
}
