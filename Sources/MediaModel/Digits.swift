/// A non-negative number with leading zeros up to a width: `padded(7, 2)` is `07`.
package func padded(
    _ number: some BinaryInteger, _ width: Int, radix: Int = 10, uppercase: Bool = false
) -> String {
    let digits = String(number, radix: radix, uppercase: uppercase)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
}

/// Bytes as hexadecimal digits, two for each.
package func hexadecimal(_ bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
    bytes.map { padded($0, 2, radix: 16, uppercase: uppercase) }.joined()
}

/// The value of a hexadecimal digit; nil for any other character.
package func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
}

/// Bytes as in an URL: all but unreserved characters are encoded (RFC 3986, section 2.3).
package func percentEncoded(_ bytes: some Sequence<UInt8>) -> String {
    bytes.reduce(into: "") { result, byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            result.unicodeScalars.append(Unicode.Scalar(byte))
        default: result += "%" + hexadecimal([byte], uppercase: true)
        }
    }
}

/// `units` / 10^`places` without trailing zeros: `2.5`. At most 18 places.
package func decimalText(_ units: Int64, places: Int) -> String {
    let scale = (0..<places).reduce(UInt64(1)) { product, _ in product * 10 }
    let (whole, fraction) = units.magnitude.quotientAndRemainder(dividingBy: scale)
    let sign = units < 0 ? "-" : ""
    guard fraction > 0 else { return "\(sign)\(whole)" }
    var digits = padded(fraction, places)
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
}

/// `number` rounded to at most `places` decimals, without trailing zeros.
package func decimal(_ number: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
    let rounded = (number * scale).rounded()
    return abs(rounded) < 1e15 ? decimalText(Int64(rounded), places: places) : "\(number)"
}
