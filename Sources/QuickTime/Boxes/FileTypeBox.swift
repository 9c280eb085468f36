package import Bytes
import ISOBMFF

/// `ftyp`: the specifications that the file conforms to (ISO/IEC 14496-12, 4.3). First in the file.
package struct FileTypeBox: Box {
    package static var type: FourCC { "ftyp" }
    /// A QuickTime movie: brand `qt  ` and no other.
    package static let quickTime = FileTypeBox(majorBrand: "qt  ", minorVersion: 0, compatibleBrands: ["qt  "])

    package var majorBrand: FourCC
    package var minorVersion: UInt32
    package var compatibleBrands: [FourCC]

    package init(majorBrand: FourCC, minorVersion: UInt32, compatibleBrands: [FourCC]) {
        self.majorBrand = majorBrand
        self.minorVersion = minorVersion
        self.compatibleBrands = compatibleBrands
    }
}

extension FileTypeBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        majorBrand = try reader.fourCC()
        minorVersion = try reader.integer()
        compatibleBrands = try reader.table(count: reader.remaining / 4, entrySize: 4) { (entry) throws(ParseError) in
            try entry.fourCC()
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.fourCC(majorBrand)
        writer.integer(minorVersion)
        for brand in compatibleBrands { writer.fourCC(brand) }
    }
}
