extension UInt8 {
    var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    /// Digits, hyphen and full stop, which do not begin a name.
    var isXMLNameLater: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }

    /// Of the letters beyond ASCII all are let pass.
    var isXMLName: Bool {
        isXMLNameLater || self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: ":")
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
