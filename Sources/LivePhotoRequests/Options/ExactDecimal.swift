/// A decimal number without rounding: `units` / 10^`places`.
struct ExactDecimal {
    /// Below 10^18.
    let units: Int64
    /// Number of decimals without trailing zeros.
    let places: Int

    /// Reads digits with at most one point: `2`, `2.50`, `.5`. Nil for anything else, including signs and exponents,
    /// more than nine digits before the point, or more than `places` (at most nine) after it.
    init?(_ text: some StringProtocol, places: Int) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2 else { return nil }
        let fraction = parts.count == 2 ? parts[1] : parts[0].prefix(0)
        guard parts.count == 1 ? !whole.isEmpty : !fraction.isEmpty else { return nil }
        let zero = UInt8(ascii: "0")
        let digits = whole.drop { $0 == zero }
        let decimals = fraction.reversed().drop { $0 == zero }.reversed()
        guard digits.count <= 9, decimals.count <= places else { return nil }
        var units: Int64 = 0
        for digit in Array(digits) + Array(decimals) {
            guard (zero...UInt8(ascii: "9")).contains(digit) else { return nil }
            units = units * 10 + Int64(digit - zero)
        }
        self.units = units
        self.places = decimals.count
    }

    /// The number in units of 10^-`places`, where `places` is at least `self.places`.
    func units(of places: Int) -> Int64 { units * powerOfTen(places - self.places) }
}

/// Reads a whole number: ASCII digits, at most nine after leading zeros.
package func wholeNumber(_ text: some StringProtocol) -> Int? {
    guard !text.utf8.contains(UInt8(ascii: ".")), let number = ExactDecimal(text, places: 0) else { return nil }
    return Int(number.units)
}

/// 10^`exponent`, for exponents from 0 to 18.
func powerOfTen(_ exponent: Int) -> Int64 {
    (0..<exponent).reduce(1) { product, _ in product * 10 }
}
