import MediaModel

/// What is measured of a small luma plane, to score the frame that it shows.
///
/// Sums are integers, and everything else follows by the operations that IEEE 754 rounds exactly, so that every machine
/// chooses the same frame.
package struct FrameMeasures: Sendable, Hashable {
    /// The root mean square of the differences over two samples, without that of noise, in each block's direction in which
    /// they are less.
    package let contrast: Double
    /// How steep the steepest edges are: squared differences over two samples in relation to those over four, in the
    /// direction in which that is less. It falls with blur, and hardly depends on what the picture shows.
    package let edges: Double
    /// The standard deviation of noise, measured where the picture is flattest.
    package let noise: Double
    /// The median of the blocks' noise in relation to detail: a dark frame of a grainy film has less noise than others, but
    /// less detail as well.
    package let grain: Double
    /// The standard deviation of all samples.
    package let deviation: Double
    /// The share of samples that are clipped to white: more of them are nearly white than bright samples suggest.
    package let white: Double
    /// The share of samples that are exactly equal to their neighbour, in the direction in which that is less.
    package let plain: Double
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
    /// The most that an edge counts. From black to white in one step, it is a half; noise has up to 1.
    private static let steepest = 0.45
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
        contrast = blocks.map { $0.weight * $0.contrast(ofNoise) }.reduce(0, +).squareRoot()
        edges = min(Self.percentile(95, of: blocks.map { $0.steepness(ofNoise) }), Self.steepest)
        // A mean of fourth roots, so that detail in a small part of the picture counts little.
        let root = blocks.map { $0.weight * $0.detail.squareRoot().squareRoot() }.reduce(0, +)
        grain = Self.percentile(50, of: blocks.map(\.sums.noise)) / (root * root * root * root + 0.5)
        var total = BlockSums()
        for block in blocks { total.add(block.sums) }
        let count = Double(max(total.count, 1))
        deviation = max(total.variance, 0).squareRoot()
        white = max(Double(total.white) - Double(total.bright) / 2, 0) / count
        plain = Double(min(total.horizontal.equal, total.vertical.equal)) / count
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
        percentile(5, of: blocks.map(\.sums).filter { unclipped.contains($0.mean) }.map(\.noise))
    }

    /// 0 without values.
    private static func percentile(_ percent: Int, of values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count * percent / 100]
    }

    private struct Block {
        let sums: BlockSums
        /// How much it counts; 1 for all blocks together.
        var weight: Double

        private func mean(_ sum: Int) -> Double { Double(sum) / Double(max(sums.count, 1)) }

        func contrast(_ ofNoise: Double) -> Double {
            max(mean(min(sums.horizontal.overTwo, sums.vertical.overTwo)) - ofNoise, 0)
        }

        func steepness(_ ofNoise: Double) -> Double {
            func steepness(_ sums: BlockSums.Direction) -> Double {
                (max(mean(sums.overTwo) - ofNoise, 0) + 1) / (max(mean(sums.overFour) - ofNoise, 0) + 4)
            }
            return min(steepness(sums.horizontal), steepness(sums.vertical))
        }

        /// The differences over four samples, with those of noise; motion in either direction lowers it.
        var detail: Double {
            (mean(sums.horizontal.overFour) * mean(sums.vertical.overFour)).squareRoot().squareRoot()
        }
    }
}
