#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

enum JSONForm {
    /// For reading: many lines.
    case whole
    /// For JSON lines.
    case line
}

extension Encodable {
    /// Keys in order, so that equal values give equal texts.
    func json(_ form: JSONForm) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if form == .whole { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
