import CZlib

/// The checksum used in ZIP archives (PKWARE APPNOTE 6.3, 4.4.7).
package struct CRC32 {
    package private(set) var value: UInt32 = 0

    package init() {}

    package mutating func update(_ bytes: [UInt8]) {
        value = UInt32(truncatingIfNeeded: crc32_z(UInt(value), bytes, bytes.count))
    }

    package static func of(_ bytes: [UInt8]) -> UInt32 {
        var checksum = CRC32()
        checksum.update(bytes)
        return checksum.value
    }
}
