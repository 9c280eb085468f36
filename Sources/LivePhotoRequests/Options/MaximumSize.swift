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

    public static let kind = "a size"
    public static let allowed = "two edges from 16 to 8192 pixels, as 1920x1080"
    public static let jsonSchema =
        #""type": "string", "pattern": "^[0-9]{2,4}[x×][0-9]{2,4}$", "examples": ["1920x1080"]"#

    public init?(text: String) {
        let edges = text.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "×" }
        guard edges.count == 2, let first = wholeNumber(edges[0]), let second = wholeNumber(edges[1]) else {
            return nil
        }
        self.init(first, second)
    }

    /// Long edge first: `1920x1080`.
    public var description: String { "\(longEdge)x\(shortEdge)" }
}
