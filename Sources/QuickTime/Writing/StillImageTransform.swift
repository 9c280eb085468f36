import Bytes
package import MediaModel

/// Where the points of a movie's frame at the still time are in the key photo: values beside the still time in its sample.
///
/// Apple does not document the matrix. In a pair of an iPhone (iOS 26), the one that was measured between frame and photo
/// agrees with it if the points are counted in pixels of the reference dimensions, to which both pictures are scaled as they are
/// stored, from the lower left corner.
package struct StillImageTransform: Sendable, Hashable {
    /// Nine numbers, row by row.
    package var matrix: [Double]
    /// The size of the frames as they are stored.
    package var dimensions: PixelSize

    /// - Parameter matrix: nine numbers, row by row; the identity if frame and photo show the same.
    package init(matrix: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1], dimensions: PixelSize) {
        (self.matrix, self.dimensions) = (matrix, dimensions)
    }

    /// The values of the sample.
    package var values: [TimedMetadataValue] {
        var (elements, size) = (ByteWriter(), ByteWriter())
        for element in matrix { elements.integer(element.bitPattern) }
        for length in [dimensions.width, dimensions.height] { size.integer(Float(length).bitPattern) }
        return [
            TimedMetadataValue(
                localID: 2, key: .stillImageTransform, dataType: .wellKnown(.perspectiveTransform),
                bytes: elements.bytes),
            TimedMetadataValue(
                localID: 3, key: .stillImageTransformReferenceDimensions, dataType: .wellKnown(.dimensionsOfFloat32),
                bytes: size.bytes),
        ]
    }

    /// The transform in a sample; nil if it has none, or one of another form.
    package init?(_ values: [TimedMetadataValue]) {
        func value(_ key: MetadataKey) -> [UInt8] { values.first { $0.key == key }?.bytes ?? [] }
        let (elements, size) = (value(.stillImageTransform), value(.stillImageTransformReferenceDimensions))
        guard elements.count == 72 else { return nil }
        matrix = stride(from: 0, to: 72, by: 8).map { start in
            Double(bitPattern: elements[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) })
        }
        let lengths = stride(from: 0, to: size.count - size.count % 4, by: 4).map { start in
            Float(bitPattern: size[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        guard matrix.allSatisfy(\.isFinite), lengths.count == 2, lengths.allSatisfy({ 1...65_536 ~= $0 }) else {
            return nil
        }
        dimensions = PixelSize(width: Int(lengths[0]), height: Int(lengths[1]))
    }
}
