extension [UInt8] {
    /// The mean absolute difference from the samples of another picture of the same size.
    func meanDifference(from other: [UInt8]) -> Double {
        var sum = 0
        let (first, second) = (span, other.span)
        for index in 0..<Swift.min(first.count, second.count) {
            sum += abs(Int(first[unchecked: index]) - Int(second[unchecked: index]))
        }
        return Double(sum) / Double(Swift.max(count, 1))
    }
}
