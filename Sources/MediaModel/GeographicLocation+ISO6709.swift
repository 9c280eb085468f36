/// Places in ISO 6709, annex H: the form of QuickTime's key `location.ISO6709` and of the user data `©xyz`.
extension GeographicLocation {
    /// Reads decimal degrees, `+35.7143+139.7963+007.400/`, with or without altitude, slash and a coordinate reference
    /// system. Nil for anything else, degrees and minutes run together among it.
    public init?(iso6709 text: String) {
        let end = text.firstIndex { $0 == "/" || $0 == "C" } ?? text.endIndex
        var numbers: [Double] = []
        guard text[..<end].allSatisfy({ "+-.0123456789".contains($0) }) else { return nil }
        for part in Self.signedParts(of: text[..<end]) {
            guard let number = Double(part) else { return nil }
            numbers.append(number)
        }
        guard (2...3).contains(numbers.count) else { return nil }
        self.init(latitude: numbers[0], longitude: numbers[1], altitude: numbers.count == 3 ? numbers[2] : nil)
    }

    /// The text cut before each sign.
    private static func signedParts(of text: Substring) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        for index in text.indices where index != start && (text[index] == "+" || text[index] == "-") {
            parts.append(text[start..<index])
            start = index
        }
        return parts + [text[start...]]
    }

    /// `+35.7143+139.7963+007.400/`, as devices write it.
    public var iso6709: String {
        Self.number(latitude, whole: 2, places: 4) + Self.number(longitude, whole: 3, places: 4)
            + (altitude.map { Self.number($0, whole: 3, places: 3) } ?? "") + "/"
    }

    /// With its sign, and zeros up to so many digits on either side of the point.
    private static func number(_ number: Double, whole: Int, places: Int) -> String {
        let scale = (0..<places).reduce(1) { product, _ in product * 10 }
        let (units, parts) = Int((number.magnitude * Double(scale)).rounded()).quotientAndRemainder(dividingBy: scale)
        return "\(number < 0 ? "-" : "+")\(padded(units, whole)).\(padded(parts, places))"
    }
}
