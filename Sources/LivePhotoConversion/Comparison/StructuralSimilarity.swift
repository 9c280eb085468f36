import MediaModel

/// Structural similarity (Wang et al., 2004) over windows of 8 by 8 samples with 8 bits.
enum StructuralSimilarity {
    private static let window = 8
    private static let step = 4

    /// - Parameters:
    ///   - first: samples row by row.
    ///   - second: the same number of samples.
    /// - Returns: the mean over all windows; 1 for pictures smaller than a window.
    static func mean(_ first: [UInt8], _ second: [UInt8], size: PixelSize) -> Double {
        var (sum, count) = (0.0, 0)
        for top in stride(from: 0, through: size.height - window, by: step) {
            for left in stride(from: 0, through: size.width - window, by: step) {
                sum += similarity(first, second, row: size.width, left, top)
                count += 1
            }
        }
        return count == 0 ? 1 : sum / Double(count)
    }

    private static func similarity(
        _ first: [UInt8], _ second: [UInt8], row: Int, _ left: Int, _ top: Int
    ) -> Double {
        var (sumOfFirst, sumOfSecond, squaresOfFirst, squaresOfSecond, products) = (0, 0, 0, 0, 0)
        for y in top..<top + window {
            for index in y * row + left..<y * row + left + window {
                let (a, b) = (Int(first[index]), Int(second[index]))
                sumOfFirst += a
                sumOfSecond += b
                squaresOfFirst += a * a
                squaresOfSecond += b * b
                products += a * b
            }
        }
        let count = Double(window * window)
        let (meanOfFirst, meanOfSecond) = (Double(sumOfFirst) / count, Double(sumOfSecond) / count)
        let varianceOfFirst = Double(squaresOfFirst) / count - meanOfFirst * meanOfFirst
        let varianceOfSecond = Double(squaresOfSecond) / count - meanOfSecond * meanOfSecond
        let covariance = Double(products) / count - meanOfFirst * meanOfSecond
        // The constants of the paper, for a range of 255.
        let (c1, c2) = (0.01 * 255 * 0.01 * 255, 0.03 * 255 * 0.03 * 255)
        return (2 * meanOfFirst * meanOfSecond + c1) * (2 * covariance + c2)
            / ((meanOfFirst * meanOfFirst + meanOfSecond * meanOfSecond + c1)
                * (varianceOfFirst + varianceOfSecond + c2))
    }
}
