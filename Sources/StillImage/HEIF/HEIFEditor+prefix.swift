import Bytes

extension HEIFEditor {
    /// The file in which the XMP of other pictures than the photo, such as that of a gain map, begins with another prefix
    /// than `x:xmpmeta`, or with that one again. The prefix has no meaning in XML, and no byte moves.
    ///
    /// Some readers of motion photos search the file's bytes for `<x:xmpmeta`, and would take the XMP of a gain map for that
    /// of the photo.
    func withXMPPrefix(hidden: Bool) throws(ParseError) -> [UInt8] {
        let (old, new) = hidden ? ("x", "y") : ("y", "x")
        var splices: [Splice] = []
        for item in heif.otherXMPItems.prefix(HEIFLimits.metadataItems) {
            let data = try heif.ranges(ofMetadata: item).flatMap { bytes[$0] }
            var changed = data
            for (before, after) in [("<", ":xmpmeta"), ("</", ":xmpmeta"), (" xmlns:", "="), (" ", ":xmptk")] {
                let text = Array((before + old + after).utf8)
                guard let range = changed.firstRange(of: text) else { continue }
                changed.replaceSubrange(range, with: Array((before + new + after).utf8))
            }
            guard changed != data, let xmp = try? XMP(changed), xmp == (try? XMP(data)) else { continue }
            splices += try overwriting(item, with: changed)
        }
        return try bytes.applying(splices, structure: "HEIF")
    }
}
