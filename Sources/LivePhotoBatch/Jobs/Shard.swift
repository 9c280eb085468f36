/// One of the parts into which a batch is divided for several machines. The part of a job depends only on its id and on the
/// number of parts.
public struct Shard: Sendable, Hashable {
    /// From 1 to `count`.
    public let number: Int
    public let count: Int

    /// Nil if `number` is not in 1…`count`, or `count` exceeds a million.
    public init?(_ number: Int, of count: Int) {
        guard count > 0, count <= 1_000_000, (1...count).contains(number) else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// Whether the job with that id is in this part, by its 64-bit FNV-1a hash.
    public func contains(id: String) -> Bool {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // Similar texts have similar low bits.
        hash ^= hash >> 32
        return Int(hash % UInt64(count)) == number - 1
    }
}

extension Shard: CustomStringConvertible {
    /// `3/6`
    public var description: String { "\(number)/\(count)" }
}
