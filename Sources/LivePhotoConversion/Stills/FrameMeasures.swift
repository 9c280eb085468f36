import MediaModel

/// What is measured of a small luma plane, to score the frame that it shows.
///
/// Sums are integers, and everything else follows by the operations that IEEE 754 rounds exactly, so that every machine
/// chooses the same frame.
package struct FrameMeasures: Sendable, Hashable {
    /// The root mean square of the differences between neighbouring samples, without that of noise.
    package let detail: Double
    /// The same in each block, in relation to the square root of the block's brightness: a brighter exposure raises it less than
    /// `detail`.
    package let contrast: Double
    /// How steep edges are: the differences over two samples in relation to those over four, in the direction in which that is
    /// less. It falls with blur, and hardly depends on what the picture shows.
    package let edges: Double
    /// The standard deviation of noise, measured where the picture is flattest.
    package let noise: Double
    /// The mean of all samples.
    package let mean: Double
    /// Their standard deviation.
    package let deviation: Double
    /// The share of samples that are clipped to white: more of them are nearly white than bright samples suggest.
    package let white: Double
    /// The share of samples that are equal to their neighbour, in the direction in which that is less.
    package let plain: Double
    /// The share of blocks without any structure.
    package let flat: Double
    /// The mean absolute difference between neighbouring samples.
    package let slope: Double
    /// The mean absolute difference from the frame before; nil for the first one.
    package let change: Double?

    /// The edge of a block, in samples.
    private static let edge = 16
    /// How many samples around a block its sums need.
    private static let margin = 2
    /// Blocks whose mean is in this range show noise; in others it may be clipped.
    private static let unclipped = 24.0...228
    /// The variance below which a block is flat.
    private static let flatVariance = 2.0
    /// How much less a block at the edge of the picture counts than one in the middle, in each direction.
    private static let edgeWeight = 0.5

    /// - Parameters:
    ///   - luma: row after row, on the scale of video.
    ///   - previous: that of the frame before; nil if there is none of the same size.
    package init(_ luma: [UInt8], size: PixelSize, previous: [UInt8]?) {
        let blocks = Self.blocks(luma, size)
        noise = Self.noise(blocks)
        // The difference of two samples has twice the variance of noise.
        let ofNoise = 2 * noise * noise
        var (horizontal, vertical) = (Differences(), Differences())
        var inRelation = 0.0
        for block in blocks {
            horizontal.add(block.sums.horizontal, block)
            vertical.add(block.sums.vertical, block)
            inRelation += block.weight * block.contrast(ofNoise)
        }
        // Motion in either direction lowers the product.
        detail = (horizontal.overTwo(without: ofNoise) * vertical.overTwo(without: ofNoise)).squareRoot().squareRoot()
        contrast = inRelation.squareRoot()
        edges = min(horizontal.steepness(ofNoise), vertical.steepness(ofNoise))
        var total = BlockSums()
        for block in blocks { total.add(block.sums) }
        let count = Double(max(total.count, 1))
        (mean, deviation) = (total.mean, max(total.variance, 0).squareRoot())
        white = max(Double(total.white) - Double(total.bright) / 2, 0) / count
        plain = Double(min(total.horizontal.equal, total.vertical.equal)) / count
        flat = Double(blocks.count { $0.sums.variance < Self.flatVariance }) / Double(max(blocks.count, 1))
        slope = Double(total.horizontal.absolute + total.vertical.absolute) / count / 2
        change = previous.flatMap { $0.count == luma.count ? luma.meanDifference(from: $0) : nil }
    }

    private static func blocks(_ luma: [UInt8], _ size: PixelSize) -> [Block] {
        let inner = PixelSize(width: size.width - 2 * margin, height: size.height - 2 * margin)
        guard inner.width > 0, inner.height > 0 else { return [] }
        let (columns, rows) = (max(inner.width / edge, 1), max(inner.height / edge, 1))
        let (width, height) = (min(edge, inner.width), min(edge, inner.height))
        var blocks: [Block] = []
        var weights = 0.0
        for row in 0..<rows {
            for column in 0..<columns {
                let weight = weight(row, of: rows) * weight(column, of: columns)
                weights += weight
                let sums = BlockSums(
                    luma, row: size.width, x: margin + column * width, y: margin + row * height, width: width,
                    height: height)
                blocks.append(Block(sums: sums, weight: weight))
            }
        }
        for index in blocks.indices { blocks[index].weight /= weights }
        return blocks
    }

    private static func weight(_ index: Int, of count: Int) -> Double {
        guard count > 1 else { return 1 }
        return 1 - edgeWeight * abs(2 * Double(index) / Double(count - 1) - 1)
    }

    private static func noise(_ blocks: [Block]) -> Double {
        let noises = blocks.map(\.sums).filter { unclipped.contains($0.mean) }.map(\.noise).sorted()
        return noises.isEmpty ? 0 : noises[noises.count / 20]
    }

    private struct Block {
        let sums: BlockSums
        /// How much it counts; 1 for all blocks together.
        var weight: Double

        func mean(_ sum: Int) -> Double { Double(sum) / Double(max(sums.count, 1)) }

        func contrast(_ ofNoise: Double) -> Double {
            let across = max(mean(sums.horizontal.overTwo) - ofNoise, 0)
            let down = max(mean(sums.vertical.overTwo) - ofNoise, 0)
            // Black is 16; the rest keeps dark blocks, in which little can be seen, from counting more.
            return (across * down).squareRoot() / (max(sums.mean - 16, 4) + 6)
        }
    }

    /// Weighted means of squared differences in one direction.
    private struct Differences {
        private var overTwo = 0.0
        private var overFour = 0.0

        mutating func add(_ sums: BlockSums.Direction, _ block: Block) {
            overTwo += block.weight * block.mean(sums.overTwo)
            overFour += block.weight * block.mean(sums.overFour)
        }

        func overTwo(without noise: Double) -> Double { max(overTwo - noise, 0) }

        func steepness(_ ofNoise: Double) -> Double {
            // So that a picture that is all noise has no steep edges.
            ((overTwo(without: ofNoise) + 0.01) / (max(overFour - ofNoise, 0) + 1)).squareRoot()
        }
    }
}
