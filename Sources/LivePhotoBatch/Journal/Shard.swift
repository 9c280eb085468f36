/// One part of a batch that is divided among several machines. A job's part depends only on its id and the number of
/// parts.
public struct Shard: Sendable, Hashable {
    /// The part's number, from 1 to `count`.
    public let number: Int
    /// The number of parts; at most 1,000,000.
    public let count: Int

    /// Part `number` of `count`; nil unless 1 ≤ `number` ≤ `count` ≤ 1,000,000.
    public init?(_ number: Int, of count: Int) {
        guard count > 0, count <= 1_000_000, (1...count).contains(number) else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// Whether the job with this id is in this part, by its 64-bit FNV-1a hash.
    package func contains(id: String) -> Bool {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // The low bits of similar texts are similar.
        hash ^= hash >> 32
        return Int(hash % UInt64(count)) == number - 1
    }
}

extension Shard: CustomStringConvertible {
    /// `3/6`
    public var description: String { "\(number)/\(count)" }
}
