import Bytes

/// Metadata in the further pictures of a JPEG, such as previews and gain maps: most are JPEGs of their own.
extension JPEG {
    /// Enough for the segments before a picture's first scan in all known files.
    private static let furtherHeadLimit = 1 << 20

    /// The file whose further pictures have no location; where no metadata are kept, nothing but what gain maps need. All
    /// pictures keep their sizes, and so their places: what goes is overwritten.
    func removingFurtherMetadata(keeping kept: KeptMetadata) -> [UInt8] {
        guard kept.removesLocation else { return bytes }
        var new = bytes
        for range in furtherPictures where range.lowerBound >= headEnd && range.lowerBound < bytes.count {
            let head = bytes[range.clamped(to: 0..<bytes.count)].prefix(Self.furtherHeadLimit)
            guard let picture = try? JPEG(Array(head)) else { continue }
            for segment in picture.segments {
                guard let content = picture.replacement(of: segment, keeping: kept) else { continue }
                let start = range.lowerBound + segment.content.lowerBound
                new.replaceSubrange(start..<start + content.count, with: content)
            }
        }
        return new
    }

    /// What a segment of a further picture has in place of its content, of the same size; nil if that stays. What cannot be
    /// read goes.
    private func replacement(of segment: Segment, keeping kept: KeptMetadata) -> [UInt8]? {
        let content = bytes[segment.content]
        let nothing = [UInt8](repeating: 0, count: content.count)
        if isSegment(segment, .app1, Self.xmpSignature) {
            let packet = Array(content.dropFirst(Self.xmpSignature.count))
            let keptXMP = kept.ofFurtherXMP(packet)
            guard keptXMP != .nothing else { return nothing }
            return XMP.overwritten(packet, keeping: keptXMP, keepsLink: true).map { Self.xmpSignature + $0 }
        }
        guard kept != .nothing else { return isNeededToShow(segment) ? nil : nothing }
        if isExif(segment) {
            let tiff = Array(content.dropFirst(Self.exifSignature.count))
            guard let new = TIFFEditor.withoutLocation(tiff) else { return nothing }
            return new == tiff ? nil : Self.exifSignature + new
        }
        if isSegment(segment, .app1, Self.xmpExtensionSignature) {
            return mayHaveInFurtherXMP(.location, xmpPacket?.packet) ? nothing : nil
        }
        if segment.marker == .app13 {
            do throws(ParseError) {
                return try photoshopData()?.mayHave(.location) == true ? nothing : nil
            } catch {
                return nothing
            }
        }
        return hasContentCredentials(segment) ? nothing : nil
    }
}
