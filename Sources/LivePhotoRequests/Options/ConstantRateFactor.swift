/// libx264's CRF: how much may be lost, from 0 (nothing) to 51 (the most); 6 more make about half the bytes.
public struct ConstantRateFactor: OptionValue {
    /// The factor times 100, so that two of them compare exactly.
    public let hundredths: Int

    /// Nil outside of 0…5100.
    public init?(hundredths: Int) {
        guard (0...5100).contains(hundredths) else { return nil }
        self.hundredths = hundredths
    }

    public init(_ text: String) throws(OptionError) {
        guard let number = ExactDecimal(text, places: 2),
            let factor = ConstantRateFactor(hundredths: Int(number.units(of: 2)))
        else {
            throw OptionError(text, isNot: "a CRF", write: "a number from 0 to 51 with at most two decimals")
        }
        self = factor
    }

    /// `20` or `20.5`, as libx264's option `crf` takes it.
    public var description: String { decimalText(Int64(hundredths), places: 2) }
}
