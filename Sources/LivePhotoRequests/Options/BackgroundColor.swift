/// The colour that fills the transparent parts of a picture, in sRGB: `white` or `#1E90FF`.
public struct BackgroundColor: OptionValue {
    /// The red component, from 0 to 255.
    public let red: UInt8
    /// The green component, from 0 to 255.
    public let green: UInt8
    /// The blue component, from 0 to 255.
    public let blue: UInt8

    /// Black: `#000000`.
    public static let black = BackgroundColor(red: 0, green: 0, blue: 0)
    /// White: `#FFFFFF`.
    public static let white = BackgroundColor(red: 255, green: 255, blue: 255)

    /// The named colours, with their values in CSS.
    private static let named: [(name: String, color: BackgroundColor)] = [
        ("black", .black), ("white", .white), ("gray", BackgroundColor(red: 128, green: 128, blue: 128)),
        ("red", BackgroundColor(red: 255, green: 0, blue: 0)),
        ("yellow", BackgroundColor(red: 255, green: 255, blue: 0)),
        ("green", BackgroundColor(red: 0, green: 128, blue: 0)),
        ("blue", BackgroundColor(red: 0, green: 0, blue: 255)),
    ]

    public static let kind = "a colour"
    public static let allowed =
        "\(words.joined(separator: ", ")), or red, green and blue in hexadecimal, such as 1E90FF or '#1E90FF'"
    /// Allows integers, because YAML and JSON read six decimal digits as a number.
    public static let jsonSchema = #"""
        "type": ["string", "integer"], "pattern": "^(\#(words.joined(separator: "|"))|#?[0-9A-Fa-f]{6})$", \#
        "minimum": 100000, "maximum": 999999, "examples": ["white", "#1E90FF"]
        """#

    public static var words: [String] { named.map(\.name) }

    /// A colour of 8-bit components in sRGB.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Reads a colour name or six hexadecimal digits: `#1E90FF`. The `#` is optional because it starts a comment in
    /// shells and YAML.
    public init?(text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        if let named = Self.named.first(where: { $0.name == text }) {
            self = named.color
        } else if digits.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let value = UInt32(digits, radix: 16)
        {
            self.init(
                red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
                blue: UInt8(truncatingIfNeeded: value))
        } else {
            return nil
        }
    }

    /// The colour's name, if it has one; `#1E90FF` otherwise.
    public var description: String {
        if let named = Self.named.first(where: { $0.color == self }) { return named.name }
        return "#" + hexadecimal([red, green, blue], uppercase: true)
    }
}
