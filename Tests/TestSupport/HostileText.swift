/// Long runs of characters that Swift's `String` compares, sorts or counts in a time that grows with the square of their
/// number, and bytes that are no text.
package struct HostileText: Sendable, CustomStringConvertible {
    package let description: String
    private let unit: [UInt8]

    private init(_ description: String, _ unit: String) { self.init(description, Array(unit.utf8)) }

    private init(_ description: String, _ unit: [UInt8]) { (self.description, self.unit) = (description, unit) }

    /// A letter and as many of these characters as fit into so many bytes.
    package func bytes(_ count: Int) -> [UInt8] {
        [0x61] + repeatElement(unit, count: (count - 1) / unit.count).joined()
    }

    /// What takes the time that is ordinary.
    package static let letters = HostileText("letters", "e")

    package static let all = [
        HostileText("marks that have to be sorted", "\u{301}\u{323}"), HostileText("flags", "\u{1F1E6}"),
        HostileText("joiners", "\u{200D}"), HostileText("families", "\u{1F469}\u{200D}"),
        HostileText("letters of syllables", "\u{1100}"), HostileText("prepended signs", "\u{600}"),
        HostileText("changes of direction", "\u{202E}"), HostileText("no UTF-8", [0xF0, 0x9F, 0x80]),
    ]
}
