/// One of the parts into which a batch is cut for several machines. A job is in the same part wherever the same number of
/// parts is asked for, whatever else is in the job file.
public struct Shard: Sendable, Hashable {
    /// From 1 to `count`.
    public let number: Int
    public let count: Int

    /// Nil where there is no such part.
    public init?(_ number: Int, of count: Int) {
        guard count > 0, count <= 1_000_000, (1...count).contains(number) else { return nil }
        (self.number, self.count) = (number, count)
    }

    public func contains(_ job: Job) -> Bool { contains(id: job.id) }

    /// Whether the job of that identifier is in this part: by FNV-1a, 64 bits.
    package func contains(id: String) -> Bool {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // The low bits of near texts are near each other.
        hash ^= hash >> 32
        return Int(hash % UInt64(count)) == number - 1
    }
}

extension Shard: CustomStringConvertible {
    /// `3/6`
    public var description: String { "\(number)/\(count)" }
}
