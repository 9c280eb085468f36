/// How a gain map is recognized among the further pictures of a photo.
enum GainMapName {
    /// Of Apple, of Adobe, of ISO 21496-1.
    private static let names = ["hdrgainmap", "hdr-gain-map", "urn:iso:std:iso:ts:21496:-1"]
    /// Bytes of a picture in which its metadata are searched.
    static let headSize = 1 << 16

    /// Whether the first bytes of a JPEG, or the type of an auxiliary picture of a HEIF, contain a name of gain maps.
    static func isIn(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(headSize))
        return names.contains { head.firstRange(of: Array($0.utf8)) != nil }
    }
}
