import CFFmpeg
import MediaModel

/// A lookup table that maps colours of RGB to others, by interpolation between its entries.
package struct ColorTable: Sendable, Hashable {
    private enum Content: Sendable, Hashable {
        /// Entries in units of 1/65536 of the output's largest value, red first. Each dimension has one entry more, which is
        /// only read with weight 0.
        case cube(size: Int, [SIMD4<Float>])
        /// An output for each value of red, then green, then blue.
        case curves([UInt16])
    }

    private let content: Content
    /// From a value with 16 bits to a place in the table: the factor, and what is added, in units of 2⁻³² of the distance
    /// between two entries.
    private let scale: SIMD3<Int>
    private let shift: SIMD3<Int>

    /// The lowest and the highest input, which the first and the last entry are for; inputs outside of them get the same.
    package typealias Domain = (minimum: SIMD3<Double>, maximum: SIMD3<Double>)

    /// A table with three dimensions, interpolated in tetrahedra.
    ///
    /// - Parameters:
    ///   - entries: for colours whose red changes first, then green, then blue; `size`³ of them. From 0 to 1; values outside
    ///     of that are clipped after interpolation.
    ///   - size: values of each component; at least 2.
    ///   - domain: at least 10⁻⁴ wide, from -1000 to 1000.
    package init(cube entries: [SIMD3<Float>], size: Int, domain: Domain) {
        let unit: Float = 65_535.0 / 65_536
        var padded = [SIMD4<Float>](repeating: .zero, count: (size + 1) * (size + 1) * (size + 1))
        for (index, entry) in entries.enumerated() {
            let (row, red) = index.quotientAndRemainder(dividingBy: size)
            let (blue, green) = row.quotientAndRemainder(dividingBy: size)
            padded[red + (size + 1) * (green + (size + 1) * blue)] = SIMD4(entry * unit, 0)
        }
        content = .cube(size: size, padded)
        (scale, shift) = Self.steps(domain, size: size)
    }

    /// A table for each component, interpolated linearly.
    ///
    /// - Parameters:
    ///   - entries: for red, green and blue; at least 2.
    ///   - domain: as for a table with three dimensions.
    package init(curves entries: [SIMD3<Float>], domain: Domain) {
        let last = entries.count - 1
        var outputs: [UInt16] = []
        outputs.reserveCapacity(3 << 16)
        for component in 0..<3 {
            for input in 0...65_535 {
                let (low, high) = (domain.minimum[component], domain.maximum[component])
                let place = min(max((Double(input) / 65_535 - low) / (high - low), 0), 1) * Double(last)
                let index = min(Int(place), last - 1)
                let (first, second) = (Double(entries[index][component]), Double(entries[index + 1][component]))
                let value = first + (second - first) * (place - Double(index))
                outputs.append(UInt16((min(max(value, 0), 1) * 65_535).rounded()))
            }
        }
        content = .curves(outputs)
        (scale, shift) = (.zero, .zero)
    }

    private static func steps(_ domain: Domain, size: Int) -> (scale: SIMD3<Int>, shift: SIMD3<Int>) {
        var (scale, shift) = (SIMD3<Int>.zero, SIMD3<Int>.zero)
        for component in 0..<3 {
            let step = Double(size - 1) * 0x1p32 / (domain.maximum[component] - domain.minimum[component])
            scale[component] = Int((step / 65_535).rounded())
            shift[component] = Int((-domain.minimum[component] * step).rounded())
        }
        return (scale, shift)
    }
}

extension Frame {
    /// A picture with the colours that a table has for those of this one.
    ///
    /// - Throws: `LibavError`, also for a picture of another format than `gbrp16le`.
    package func mapped(by table: ColorTable) throws(LibavError) -> Frame {
        guard pixelFormat.name == "gbrp16le" else {
            throw LibavError(call: "lut3d", code: AVErrorInvalidArgument)
        }
        let result = try Frame(unfilledLike: self)
        // libav's order is green, blue, red.
        let (sources, targets) = (planes, result.planes)
        for row in 0..<size.height {
            func line(_ plane: (start: UnsafeMutablePointer<UInt8>?, stride: Int)) -> UnsafeMutablePointer<UInt16>? {
                plane.start.map {
                    UnsafeMutableRawPointer($0 + row * plane.stride).assumingMemoryBound(to: UInt16.self)
                }
            }
            guard let red = line(sources[2]), let green = line(sources[0]), let blue = line(sources[1]),
                let newRed = line(targets[2]), let newGreen = line(targets[0]), let newBlue = line(targets[1])
            else { throw LibavError(call: "lut3d", code: AVErrorInvalidArgument) }
            table.map(
                ColorTable.Row(red: red, green: green, blue: blue),
                to: ColorTable.Row(red: newRed, green: newGreen, blue: newBlue), count: size.width)
        }
        return result
    }
}

extension ColorTable {
    /// The components of a row of pixels.
    fileprivate struct Row {
        let red: UnsafeMutablePointer<UInt16>
        let green: UnsafeMutablePointer<UInt16>
        let blue: UnsafeMutablePointer<UInt16>
    }

    fileprivate func map(_ source: Row, to target: Row, count: Int) {
        switch content {
        case .cube(let size, let entries):
            entries.withUnsafeBufferPointer { entries in
                guard let start = entries.baseAddress else { return }
                map(source, to: target, count: count, start, size: size)
            }
        case .curves(let outputs):
            for column in 0..<count {
                target.red[column] = outputs[Int(source.red[column])]
                target.green[column] = outputs[1 << 16 + Int(source.green[column])]
                target.blue[column] = outputs[2 << 16 + Int(source.blue[column])]
            }
        }
    }

    /// Tetrahedral interpolation: the cube between eight entries consists of six tetrahedra with the diagonal from its lowest
    /// to its highest corner in common. The order of the three fractions says which of them a colour is in, and their
    /// differences are the weights of its corners.
    ///
    /// - Parameter entries: (size + 1)³ of them. No place is beyond the last entry of a dimension, as places are clamped.
    private func map(
        _ source: Row, to target: Row, count: Int, _ entries: UnsafePointer<SIMD4<Float>>, size: Int
    ) {
        let (green, blue) = (size + 1, (size + 1) * (size + 1))
        let all = 1 + green + blue
        // By the order of the fractions: the second and the third corner. Two orders contradict themselves.
        let corners = [
            (blue, green + blue), (0, 0), (green, green + blue), (green, 1 + green), (blue, 1 + blue), (1, 1 + blue),
            (0, 0), (1, 1 + green),
        ]
        // The sums below fit if a domain is at least 10⁻⁴ wide and not beyond ±1000.
        let top = (size - 1) << 16
        let (zero, highest) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 65_535))
        // Moves the rounded value to the lowest bits.
        let rounding = SIMD4<Float>(repeating: 8_388_608)
        let (redScale, greenScale, blueScale) = (scale.x, scale.y, scale.z)
        let (redShift, greenShift, blueShift) = (shift.x, shift.y, shift.z)
        corners.withUnsafeBufferPointer { corners in
            for column in 0..<count {
                let x = min(max((Int(source.red[column]) &* redScale &+ redShift) >> 16, 0), top)
                let y = min(max((Int(source.green[column]) &* greenScale &+ greenShift) >> 16, 0), top)
                let z = min(max((Int(source.blue[column]) &* blueScale &+ blueShift) >> 16, 0), top)
                let corner = entries + ((x >> 16) &+ (y >> 16) &* green &+ (z >> 16) &* blue)
                let (u, v, w) = (x & 0xFFFF, y & 0xFFFF, z & 0xFFFF)
                let (second, third) = corners[(u >= v ? 4 : 0) | (v >= w ? 2 : 0) | (u >= w ? 1 : 0)]
                let (high, low) = (max(u, max(v, w)), min(u, min(v, w)))
                let middle = u &+ v &+ w &- high &- low
                var color = corner[0] * Float(65_536 &- high)
                color += corner[second] * Float(high &- middle)
                color += corner[third] * Float(middle &- low)
                color += corner[all] * Float(low)
                color.replace(with: zero, where: color .< zero)
                color.replace(with: highest, where: color .> highest)
                let bits = unsafeBitCast(color + rounding, to: SIMD4<UInt32>.self)
                target.red[column] = UInt16(truncatingIfNeeded: bits.x)
                target.green[column] = UInt16(truncatingIfNeeded: bits.y)
                target.blue[column] = UInt16(truncatingIfNeeded: bits.z)
            }
        }
    }
}
