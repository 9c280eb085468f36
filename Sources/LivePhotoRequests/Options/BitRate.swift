/// How much sound a second takes: `128k` or `96000`.
public struct BitRate: OptionValue {
    /// From 8,000 to 512,000; AAC-LC in stereo at 44.1 kHz cannot take more than 529,200 (ISO/IEC 14496-3: 6,144 bits a
    /// frame and channel).
    public let bitsPerSecond: Int

    package static let lowest = 8_000

    /// Nil outside of 8,000…512,000.
    public init?(bitsPerSecond: Int) {
        guard (Self.lowest...512_000).contains(bitsPerSecond) else { return nil }
        self.bitsPerSecond = bitsPerSecond
    }

    public init(_ text: String) throws(OptionError) {
        let isThousands = text.hasSuffix("k")
        guard let number = wholeNumber(isThousands ? text.dropLast() : text[...]),
            let rate = BitRate(bitsPerSecond: number * (isThousands ? 1000 : 1))
        else {
            throw OptionError(text, isNot: "a bit rate", write: "bits a second from 8k to 512k, as 128k or 128000")
        }
        self = rate
    }

    /// `128k`, or `44100` for what is not a whole number of thousands.
    public var description: String {
        bitsPerSecond.isMultiple(of: 1000) ? "\(bitsPerSecond / 1000)k" : "\(bitsPerSecond)"
    }
}
