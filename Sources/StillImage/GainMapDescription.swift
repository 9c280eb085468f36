import Bytes
package import MediaModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a photo's file states about its gain map.
package struct GainMapDescription: Hashable, Sendable {
    /// A form of the metadata.
    package enum Form: String, Sendable, CaseIterable {
        case iso = "ISO 21496-1"
        case adobe = "Adobe"
        case apple = "Apple"
    }

    /// The stored size of the gain map.
    package let size: PixelSize
    package var forms: Set<Form> { Set(headrooms.keys) }
    /// How many times the white of SDR the brightest part of the HDR picture has, as a logarithm to base 2; nil if it is not
    /// stated.
    package var headroom: Double? {
        Form.allCases.lazy.compactMap { headrooms[$0] ?? nil }.first
    }

    fileprivate let headrooms: [Form: Double?]
}

extension PhotoReader {
    /// Nil if the photo has no gain map.
    ///
    /// - Throws: `ParseError` for one whose metadata are damaged; `Errno` of pread(2).
    package func gainMap() throws -> GainMapDescription? {
        switch container {
        case .jpeg(let jpeg): try gainMap(of: jpeg)
        case .heif(let heif): try gainMap(of: heif)
        }
    }

    private func gainMap(of jpeg: JPEG) throws -> GainMapDescription? {
        for range in jpeg.furtherPictures where range.lowerBound > jpeg.headEnd && range.upperBound <= file.size {
            let head = try file.bytes(at: range.lowerBound, count: min(range.count, GainMapName.headSize))
            guard GainMapName.isIn(head), let picture = try? JPEG(head) else { continue }
            var headrooms = try headrooms(try picture.xmp())
            if let segment = picture.segments.first(where: { picture.isSegment($0, .app2, JPEGGainMap.isoSignature) }) {
                let content = Array(picture.bytes[segment.content].dropFirst(JPEGGainMap.isoSignature.count))
                headrooms[.iso] = try GainMapParameters(from: ByteReader(content, structure: "gain map"))
                    .alternateHeadroom
            }
            return GainMapDescription(size: picture.size, headrooms: headrooms)
        }
        return nil
    }

    private func gainMap(of heif: HEIF) throws -> GainMapDescription? {
        let derived = heif.toneMap
        let auxiliary = heif.auxiliaryPictures.first { GainMapName.isIn($0.type.bytes) }?.item
        guard let map = auxiliary ?? derived?.gainMap, let size = try heif.properties.display(of: map).size
        else { return nil }
        let note = heif.references.first { $0.type == "cdsc" && $0.to.contains(map) }?.from
        let isXMP = note.map { heif.otherXMPItems.contains($0) } ?? false
        var headrooms = try headrooms(
            isXMP ? try note.map { try XMP(bytes(ofMetadata: $0, in: heif).data) } : nil)
        if auxiliary != nil, headrooms[.apple] == nil { headrooms[.apple] = .some(try appleHeadroom()) }
        if let derived {
            // A version precedes the parameters.
            let data = try bytes(ofMetadata: derived.item, in: heif).data
            headrooms[.iso] = try GainMapParameters(
                from: ByteReader(Array(data.dropFirst()), structure: "tmap")
            ).alternateHeadroom
        }
        return GainMapDescription(size: size, headrooms: headrooms)
    }

    private func headrooms(_ xmp: XMP?) throws -> [GainMapDescription.Form: Double?] {
        var headrooms: [GainMapDescription.Form: Double?] = [:]
        if xmp?[XMLNamespace.gainMap, "Version"] != nil {
            headrooms[.adobe] = xmp?[XMLNamespace.gainMap, "HDRCapacityMax"]?.text.flatMap { $0.number }
        }
        if xmp?[XMLNamespace.appleGainMap, "HDRGainMapVersion"] != nil {
            let factor = xmp?[XMLNamespace.appleGainMap, "HDRGainMapHeadroom"]?.text.flatMap { $0.number }
            headrooms[.apple] = .some(try factor.map { log2(max($0, 1)) } ?? appleHeadroom())
        }
        return headrooms
    }

    /// The headroom in Apple's MakerNote; nil if there is none.
    private func appleHeadroom() throws -> Double? {
        guard let reader = try tiff(), let note = try TIFF(from: reader).exif?[.makerNote]?.data,
            AppleMakerNote.isApple(note)
        else { return nil }
        return try AppleMakerNote(from: ByteReader(note, structure: "Apple MakerNote")).headroom
    }
}
