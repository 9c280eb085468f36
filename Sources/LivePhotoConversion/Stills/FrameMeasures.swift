import MediaModel

/// What is measured of a small luma plane, to score the frame that it shows.
///
/// Sums are integers, and everything else follows by the operations that IEEE 754 rounds exactly, so that every machine
/// chooses the same frame.
package struct FrameMeasures: Sendable, Hashable {
    /// The contrast between neighbouring samples in both directions, without that of noise: the root mean square, in which the
    /// middle of the picture counts more.
    package let detail: Double
    /// The standard deviation of noise, measured where the picture is flattest.
    package let noise: Double
    /// The mean of all samples.
    package let mean: Double
    /// Their standard deviation.
    package let deviation: Double
    /// The share of samples that are nearly white.
    package let bright: Double
    /// The share of samples that are nearly black.
    package let dark: Double
    /// The share of blocks without any structure.
    package let flat: Double
    /// The mean absolute difference between neighbouring samples.
    package let slope: Double
    /// The mean absolute difference from the frame before; nil for the first one.
    package let change: Double?

    /// The edge of a block, in samples.
    private static let edge = 16
    /// Limits of nearly black and nearly white, on the scale of video from 16 to 235.
    private static let (darkest, brightest): (Int32, Int32) = (20, 233)
    /// Blocks whose mean is in this range show noise; in others it may be clipped.
    private static let unclipped = 24.0...228
    /// The variance below which a block is flat.
    private static let flatVariance = 2.0
    /// How much less a block at the edge of the picture counts than one in the middle, in each direction.
    private static let edgeWeight = 0.5

    /// - Parameters:
    ///   - luma: row after row, on the scale of video; at least 3 by 3 samples.
    ///   - previous: that of the frame before; nil if there is none of the same size.
    package init(_ luma: [UInt8], size: PixelSize, previous: [UInt8]?) {
        let columns = max((size.width - 2) / Self.edge, 1)
        let rows = max((size.height - 2) / Self.edge, 1)
        let width = min(Self.edge, size.width - 2)
        let height = min(Self.edge, size.height - 2)
        var total = BlockSums()
        var (weights, horizontal, vertical) = (0.0, 0.0, 0.0)
        var noises: [Double] = []
        var flatBlocks = 0
        for row in 0..<rows {
            for column in 0..<columns {
                let sums = BlockSums(
                    luma, row: size.width, x: 1 + column * width, y: 1 + row * height, width: width, height: height)
                total.add(sums)
                let weight = Self.weight(row, of: rows) * Self.weight(column, of: columns)
                weights += weight
                horizontal += weight * Double(sums.horizontal) / Double(max(sums.count, 1))
                vertical += weight * Double(sums.vertical) / Double(max(sums.count, 1))
                if Self.unclipped.contains(sums.mean) { noises.append(sums.noise) }
                if sums.variance < Self.flatVariance { flatBlocks += 1 }
            }
        }
        noises.sort()
        noise = noises.isEmpty ? 0 : noises[noises.count / 10]
        // The difference of two samples has twice the variance of noise.
        let ofNoise = 2 * noise * noise
        let (across, down) = (max(horizontal / weights - ofNoise, 0), max(vertical / weights - ofNoise, 0))
        // Motion in either direction lowers the product.
        detail = (across.squareRoot() * down.squareRoot()).squareRoot()
        (mean, deviation) = (total.mean, max(total.variance, 0).squareRoot())
        let count = Double(max(total.count, 1))
        (bright, dark) = (Double(total.bright) / count, Double(total.dark) / count)
        flat = Double(flatBlocks) / Double(rows * columns)
        slope = Double(total.slopes) / count / 2
        change = previous.flatMap { $0.count == luma.count ? Self.difference(luma, $0) : nil }
    }

    private static func weight(_ index: Int, of count: Int) -> Double {
        guard count > 1 else { return 1 }
        return 1 - edgeWeight * abs(2 * Double(index) / Double(count - 1) - 1)
    }

    private static func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        var sum = 0
        let (first, second) = (one.span, other.span)
        for index in 0..<min(first.count, second.count) {
            sum += abs(Int(first[unchecked: index]) - Int(second[unchecked: index]))
        }
        return Double(sum) / Double(max(one.count, 1))
    }

    /// Sums over the samples of a block.
    private struct BlockSums {
        private(set) var count = 0
        /// Of squared differences between the neighbours of a sample to the left and right.
        private(set) var horizontal = 0
        /// Of squared differences between the neighbours above and below.
        private(set) var vertical = 0
        /// Of their absolute values.
        private(set) var slopes = 0
        private(set) var bright = 0
        private(set) var dark = 0
        private var values = 0
        private var squares = 0
        /// Of the absolute results of a filter that suppresses edges (J. Immerkær, "Fast Noise Variance Estimation", 1996).
        private var residues = 0

        init() {}

        init(_ luma: [UInt8], row: Int, x: Int, y: Int, width: Int, height: Int) {
            let luma = luma.span
            guard width > 0, height > 0, (y + height) * row + x + width < luma.count else { return }
            // At most 256 samples, so 32 bits are enough; without checks, the loop is vectorized.
            var sums = (horizontal: Int32(0), vertical: Int32(0), slopes: UInt32(0), residues: UInt32(0))
            var (values, squares, bright, dark) = (Int32(0), Int32(0), Int32(0), Int32(0))
            for line in y..<y + height {
                let start = line * row + x
                for column in 0..<width {
                    let place = start &+ column
                    func sample(_ offset: Int) -> Int32 { Int32(truncatingIfNeeded: luma[unchecked: place &+ offset]) }
                    let value = sample(0)
                    let (left, right, above, below) = (sample(-1), sample(1), sample(-row), sample(row))
                    let (across, down) = (right &- left, below &- above)
                    sums.horizontal &+= across &* across
                    sums.vertical &+= down &* down
                    sums.slopes &+= across.magnitude &+ down.magnitude
                    let corners = sample(-row - 1) &+ sample(-row + 1) &+ sample(row - 1) &+ sample(row + 1)
                    let sides = left &+ right &+ above &+ below
                    sums.residues &+= (corners &- 2 &* sides &+ 4 &* value).magnitude
                    values &+= value
                    squares &+= value &* value
                    bright &+= value >= FrameMeasures.brightest ? 1 : 0
                    dark &+= value <= FrameMeasures.darkest ? 1 : 0
                }
            }
            (horizontal, vertical) = (Int(sums.horizontal), Int(sums.vertical))
            (slopes, residues) = (Int(sums.slopes), Int(sums.residues))
            (self.values, self.squares) = (Int(values), Int(squares))
            (self.bright, self.dark) = (Int(bright), Int(dark))
            count = width * height
        }

        mutating func add(_ other: BlockSums) {
            count += other.count
            horizontal += other.horizontal
            vertical += other.vertical
            slopes += other.slopes
            bright += other.bright
            dark += other.dark
            values += other.values
            squares += other.squares
            residues += other.residues
        }

        var mean: Double { Double(values) / Double(max(count, 1)) }
        var variance: Double { Double(squares) / Double(max(count, 1)) - mean * mean }
        /// The standard deviation of noise in a block without structure: the mean absolute residue times the root of π/2,
        /// divided by the filter's norm.
        var noise: Double { Double(residues) / Double(max(count, 1)) * 1.2533 / 6 }
    }
}
