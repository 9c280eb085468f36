/// The checksum of what is in a ZIP archive (PKWARE APPNOTE 6.3, 4.4.7).
package struct CRC32 {
    private var state = UInt32.max
    package var value: UInt32 { ~state }

    package init() {}

    /// That of some bytes.
    package static func of(_ bytes: [UInt8]) -> UInt32 {
        var checksum = CRC32()
        checksum.update(bytes)
        return checksum.value
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
    }

    package mutating func update(_ bytes: [UInt8]) {
        let table = Self.table
        var state = state
        for byte in bytes { state = table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8 }
        self.state = state
    }
}
