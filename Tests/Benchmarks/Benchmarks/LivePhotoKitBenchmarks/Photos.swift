/// The rest of a photo of 3 MB: bytes of which none looks like a marker.
private let pictureData = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 * 31 % 251) }

/// A JPEG of 12 megapixels as far as its headers say, without Exif.
func largeJPEG() -> [UInt8] {
    hex(
        """
        ffd8
        ffe0 0010 'JFIF' 00 0102 00 0001 0001 00 00
        ffc0 000b 08 0bd0 0fc0 01 012200  ; 8 bits, 3024 lines of 4032
        ffda 0008 01 0100 003f00
        """) + pictureData + hex("ffd9")
}

/// The photo of a phone's pair, followed by more media.
func largeHEIC() -> [UInt8] {
    DevicePair.photo + box("mdat", pictureData)
}
