package import Bytes
package import MediaModel

/// The pictures in a photo's file besides the photo, its thumbnails and its alpha plane, such as an HDR gain map or a depth
/// map.
package struct FurtherPictures: Sendable {
    /// The gain map, if it can be copied to a file with another encoding of the photo.
    package private(set) var gainMap: GainMap?
    /// Whether there are others, or one that cannot be copied.
    package private(set) var hasOthers = false

    /// ISO/IEC 23008-12, 6.9.1.1, and the same of HEVC.
    private static let alphaTypes: [FileText] = [
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
    ]

    /// Pictures of a JPEG or HEIF; of other and damaged files, none.
    package init(_ file: [UInt8]) {
        switch PhotoMetadata.Format(of: file) {
        case .jpeg:
            guard let jpeg = try? JPEG(file), !jpeg.furtherPictures.isEmpty || jpeg.hasUnreadablePictureList else {
                return
            }
            gainMap = JPEGGainMap(jpeg).map { GainMap(content: .jpeg($0)) }
            hasOthers = gainMap == nil
        case .heic, .avif:
            guard let heif = try? HEIF(file) else { return }
            for (item, type) in heif.auxiliaryPictures where !Self.alphaTypes.contains(type) {
                let isGainMap = gainMap == nil && GainMapName.isIn(type.bytes)
                if isGainMap, let map = HEIFGainMap(item, of: heif, in: file) {
                    gainMap = GainMap(content: .heif(map))
                } else {
                    hasOthers = true
                }
            }
            // ISO 21496-1 without Apple's gain map.
            if gainMap == nil, heif.items.contains(where: { $0.type == "tmap" }) { hasOthers = true }
        case nil:
            return
        }
    }
}

/// The gain map of a photo: the picture that says how much brighter an HDR display shows each part of it, with the metadata
/// that readers need.
package struct GainMap: Sendable {
    fileprivate enum Content: Sendable {
        case jpeg(JPEGGainMap)
        case heif(HEIFGainMap)
    }

    fileprivate let content: Content

    /// The properties of the photo's XMP without which readers do not find the gain map; nil if there are none.
    package var xmpOfPhoto: [UInt8]? {
        if case .jpeg(let map) = content { map.xmp } else { nil }
    }

    /// The file with the gain map, whose picture stays bit for bit.
    ///
    /// - Parameters:
    ///   - file: another encoding of the same photo, in the same format, with pixels in the same order.
    ///   - orientation: how both pictures have to be turned for display; the Exif data of a JPEG already state it, but a HEIC
    ///     does not.
    ///   - kept: what stays of a JPEG's own metadata, besides what readers need.
    /// - Throws: `ParseError`, also for a file of another format.
    package func added(
        to file: [UInt8], _ orientation: Orientation, keeping kept: KeptMetadata = .all
    ) throws(ParseError) -> [UInt8] {
        switch content {
        case .jpeg(let map): try JPEG(JPEG(file).adding(map)).removingFurtherMetadata(keeping: kept)
        case .heif(let map): try HEIFEditor(file).adding(map, orientation)
        }
    }
}

extension GainMap {
    /// A new gain map for a JPEG.
    ///
    /// - Parameter jpeg: the gain map's picture, a JPEG.
    package init(jpeg: [UInt8], _ parameters: GainMapParameters) throws(ParseError) {
        self.init(content: .jpeg(try JPEGGainMap(jpeg, parameters)))
    }

    /// A new gain map for a HEIC.
    ///
    /// - Parameters:
    ///   - apple: the picture of Apple's form, a HEIC.
    ///   - iso: the picture of ISO 21496-1, a HEIC.
    ///   - photo: the stored size of the photo.
    package init(
        apple: [UInt8], iso: [UInt8], _ parameters: GainMapParameters, photo: PixelSize
    ) throws(ParseError) {
        self.init(content: .heif(try HEIFGainMap(apple: apple, iso: iso, parameters, photo: photo)))
    }
}
