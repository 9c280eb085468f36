package import Bytes
package import MediaModel

/// The transformation of the stored picture for display (QuickTime File Format, "Matrices"): nine numbers, row by row,
/// the third column 2.30 fixed point and the others 16.16.
package struct Matrix: Sendable, Hashable {
    package static let identity = Matrix(elements: [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30])

    /// Nine fixed-point numbers: a b u, c d v, x y w.
    private let elements: [Int32]

    /// The rotation and mirroring of the stored picture; nil unless the matrix rotates by quarter turns.
    package var orientation: Orientation? {
        Orientation(a: Double(elements[0]), b: Double(elements[1]), c: Double(elements[3]), d: Double(elements[4]))
    }
}

extension Matrix {
    package init(from reader: inout ByteReader) throws(ParseError) {
        elements = try reader.table(count: 9, entrySize: 4) { (entry) throws(ParseError) in try entry.integer() }
    }

    package func write(to writer: inout ByteWriter) {
        for element in elements { writer.integer(element) }
    }
}
