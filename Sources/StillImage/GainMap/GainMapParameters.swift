package import Bytes

/// How the samples of a gain map become factors for the light of a photo (ISO 21496-1), the same for red, green and blue.
///
/// A sample `s`, from 0 to 1, gives the factor `2^(minimum + (maximum - minimum) · s^(1/gamma))`. The alternate picture is
/// `(base + baseOffset) · factor - alternateOffset`, in linear light where 1 is the white of SDR.
package struct GainMapParameters: Hashable, Sendable {
    /// The smallest and the largest factor, as logarithms to base 2.
    package var minimum: Double
    package var maximum: Double
    package var gamma = 1.0
    package var baseOffset: Double
    package var alternateOffset: Double
    /// How much brighter than the white of SDR a display has to show white for the photo alone and for all of the gain, as
    /// logarithms to base 2.
    package var baseHeadroom = 0.0
    package var alternateHeadroom: Double

    /// Parameters of a photo that is SDR, with the precision that files state.
    ///
    /// - Parameters:
    ///   - gains: of the smallest and the largest sample, as logarithms to base 2.
    ///   - headroom: of the HDR picture, as a logarithm to base 2.
    ///   - offset: added to both pictures.
    package init(gains: ClosedRange<Double>, headroom: Double, offset: Double) {
        (minimum, maximum) = (Self.stated(gains.lowerBound), Self.stated(gains.upperBound))
        alternateHeadroom = Self.stated(headroom)
        (baseOffset, alternateOffset) = (Self.stated(offset), Self.stated(offset))
    }

    private static let denominator = 1_000_000.0

    private static func stated(_ value: Double) -> Double { (value * denominator).rounded() / denominator }
}

/// The binary form (ISO 21496-1, annex C).
extension GainMapParameters {
    /// Whether there are parameters for each of red, green and blue.
    private static let hasChannels: UInt8 = 0x80
    private static let usesBaseColor: UInt8 = 0x40
    /// Whether all fractions have one denominator, stated once.
    private static let hasCommonDenominator: UInt8 = 0x08

    /// Reads the parameters; of several channels, those of the first.
    ///
    /// - Throws: `ParseError`, also for a version that needs another reader.
    package init(from reader: ByteReader) throws(ParseError) {
        var reader = reader
        guard try reader.integer(UInt16.self) == 0 else {
            throw reader.error(.unsupported, expected: "0 as the lowest version of readers")
        }
        try reader.skip(2)  // the writer's version
        let flags = try reader.integer(UInt8.self)
        var common: UInt32?
        if flags & Self.hasCommonDenominator != 0 { common = try reader.integer(UInt32.self) }
        func fraction(isSigned: Bool) throws(ParseError) -> Double {
            let bits = try reader.integer(UInt32.self)
            var denominator = common ?? 0
            if common == nil { denominator = try reader.integer(UInt32.self) }
            guard denominator != 0 else { throw reader.error(.invalidValue, expected: "a denominator other than 0") }
            return (isSigned ? Double(Int32(bitPattern: bits)) : Double(bits)) / Double(denominator)
        }
        baseHeadroom = try fraction(isSigned: false)
        alternateHeadroom = try fraction(isSigned: false)
        minimum = try fraction(isSigned: true)
        maximum = try fraction(isSigned: true)
        gamma = try fraction(isSigned: false)
        baseOffset = try fraction(isSigned: true)
        alternateOffset = try fraction(isSigned: true)
        guard gamma > 0, maximum >= minimum else {
            throw reader.error(.invalidValue, expected: "a gamma above 0 and a range of gains before this")
        }
    }

    func write(to writer: inout ByteWriter) {
        writer.zeros(4)  // versions of readers and of the writer
        writer.integer(Self.usesBaseColor)
        for value in [
            baseHeadroom, alternateHeadroom, minimum, maximum, gamma, baseOffset, alternateOffset,
        ] {
            writer.integer(Int32((value * Self.denominator).rounded()))
            writer.integer(UInt32(Self.denominator))
        }
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }
}
