package import ISOBMFF

/// `sdtp`: which samples need others and are needed by others (ISO/IEC 14496-12, 8.6.4; QuickTime File Format,
/// "Sample dependency flags atom"). In `stbl`.
package struct SampleDependencyBox: Box {
    package static var type: FourCC { "sdtp" }

    /// The flags of one sample: four fields of two bits.
    package struct Dependency: Sendable, Hashable {
        package var rawValue: UInt8

        /// Needs no other sample.
        package static let independent = Dependency(rawValue: 0x20)
        /// Needs others; whether others need it is unknown.
        package static let dependent = Dependency(rawValue: 0x10)
        /// Needs others, and none needs it: it can be left out.
        package static let disposable = Dependency(rawValue: 0x18)
    }

    package var dependencies: [Dependency]
}

extension SampleDependencyBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        _ = try reader.fullBoxHeader()
        dependencies = reader.rest().map { Dependency(rawValue: $0) }
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader()
        writer.append(dependencies.map(\.rawValue))
    }
}
