package import Bytes
import ISOBMFF

/// `clap`: the part of the stored picture to display (ISO/IEC 14496-12, 12.1.4; QuickTime File Format,
/// "Clean aperture"). In a visual sample entry.
package struct CleanApertureBox: Box {
    package static var type: FourCC { "clap" }

    /// A signed number of pixels.
    package struct Fraction: Hashable, Sendable {
        package var numerator: Int32
        package var denominator: UInt32

        /// Nil for a denominator of 0.
        package var value: Double? { denominator == 0 ? nil : Double(numerator) / Double(denominator) }
    }

    package var width: Fraction
    package var height: Fraction
    /// From the centre of the stored picture to the centre of the clean aperture.
    package var horizontalOffset: Fraction
    package var verticalOffset: Fraction
}

extension CleanApertureBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        width = try Self.fraction(&reader)
        height = try Self.fraction(&reader)
        horizontalOffset = try Self.fraction(&reader)
        verticalOffset = try Self.fraction(&reader)
    }

    package func write(to writer: inout ByteWriter) {
        for fraction in [width, height, horizontalOffset, verticalOffset] {
            writer.integer(fraction.numerator)
            writer.integer(fraction.denominator)
        }
    }

    private static func fraction(_ reader: inout ByteReader) throws(ParseError) -> Fraction {
        Fraction(numerator: try reader.integer(), denominator: try reader.integer())
    }
}
