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
                guard let content = picture.replacement(of: segment, isLocationAlone: kept != .nothing) else {
                    continue
                }
                let start = range.lowerBound + segment.content.lowerBound
                new.replaceSubrange(start..<start + content.count, with: content)
            }
        }
        return new
    }

    /// What a segment of a further picture has in place of its content, of the same size; nil if that stays. What cannot be
    /// read goes.
    ///
    /// - Parameter isLocationAlone: whether nothing but the location goes.
    private func replacement(of segment: Segment, isLocationAlone: Bool) -> [UInt8]? {
        let content = bytes[segment.content]
        let nothing = [UInt8](repeating: 0, count: content.count)
        switch segment.marker {
        case .app1 where isExif(segment):
            guard isLocationAlone else { return nothing }
            let tiff = Array(content.dropFirst(Self.exifSignature.count))
            return Self.withoutLocation(tiff).map { $0.isEmpty ? nothing : Self.exifSignature + $0 }
        case .app1 where isSegment(segment, .app1, Self.xmpSignature):
            let packet = Array(content.dropFirst(Self.xmpSignature.count))
            let describesGainMap = try? XMP(packet).properties.contains { $0.name.describesGainMap }
            guard isLocationAlone || describesGainMap == true else { return nothing }
            let statements: KeptMetadata.Statements = isLocationAlone ? .location : [.location, .date]
            guard XMP.mayHave(statements, packet) else { return nil }
            guard let new = XMP.without(statements, packet, keepsLink: true), !new.isEmpty, new.count <= packet.count
            else { return nothing }
            return Self.xmpSignature + new + repeatElement(UInt8(ascii: " "), count: packet.count - new.count)
        case .app1 where isSegment(segment, .app1, Self.xmpExtensionSignature):
            return isLocationAlone && !mayHaveInFurtherXMP(.location, xmpPacket?.packet) ? nil : nothing
        case .app13:
            guard isLocationAlone else { return nothing }
            do throws(ParseError) {
                return try photoshopData()?.mayHave(.location) == true ? nothing : nil
            } catch {
                return nothing
            }
        case .comment: return isLocationAlone ? nil : nothing
        default: return nil
        }
    }

    /// Exif data of the same size; empty if their location cannot be removed, nil if they have none.
    private static func withoutLocation(_ tiff: [UInt8]) -> [UInt8]? {
        do throws(ParseError) {
            var editor = try TIFFEditor(tiff)
            guard editor.has(.gpsIFD, in: .image) else { return nil }
            try editor.eraseGPS()
            let new = editor.finish()
            return new.count > tiff.count ? [] : new + repeatElement(0, count: tiff.count - new.count)
        } catch {
            return []
        }
    }
}
