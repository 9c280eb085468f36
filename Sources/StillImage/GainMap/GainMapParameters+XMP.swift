import Bytes
import MediaModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What XMP states about gain maps: that of Adobe and Google (Ultra HDR) in JPEGs, and that of Apple.
extension GainMapParameters {
    /// XMP of a gain map, as Adobe defines it.
    var adobeXMP: [UInt8] {
        let numbers = [
            ("GainMapMin", minimum), ("GainMapMax", maximum), ("Gamma", gamma), ("OffsetSDR", baseOffset),
            ("OffsetHDR", alternateOffset), ("HDRCapacityMin", baseHeadroom), ("HDRCapacityMax", alternateHeadroom),
        ]
        let attributes = numbers.map { " hdrgm:\($0)=\"\($1)\"" as FileText }.joined()
        return Self.packet(
            " xmlns:hdrgm=\"\(XMLNamespace.gainMap)\" hdrgm:Version=\"1.0\"\(attributes)"
                + " hdrgm:BaseRenditionIsHDR=\"False\"")
    }

    /// XMP of a photo that a gain map follows in the file.
    ///
    /// - Parameter count: the gain map's size in bytes.
    static func photoXMP(gainMapSize count: Int) -> [UInt8] {
        func item(_ attributes: FileText) -> FileText {
            "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\(attributes) Item:Mime=\"image/jpeg\"/></rdf:li>"
        }
        let items = item("\"Primary\"") + item("\"GainMap\" Item:Length=\"\(count)\"")
        return packet(
            " xmlns:hdrgm=\"\(XMLNamespace.gainMap)\" xmlns:Container=\"\(XMLNamespace.googleContainer)\""
                + " xmlns:Item=\"\(XMLNamespace.googleContainerItem)\" hdrgm:Version=\"1.0\"",
            "<Container:Directory><rdf:Seq>\(items)</rdf:Seq></Container:Directory>")
    }

    /// XMP of a gain map, as iPhones write it.
    var appleXMP: [UInt8] {
        let factor = (exp2(alternateHeadroom) * 1e6).rounded() / 1e6
        return Self.packet(
            " xmlns:HDRGainMap=\"\(XMLNamespace.appleGainMap)\"",
            "<HDRGainMap:HDRGainMapVersion>131072</HDRGainMap:HDRGainMapVersion>"
                + "<HDRGainMap:HDRGainMapHeadroom>\(factor)</HDRGainMap:HDRGainMapHeadroom>")
    }

    private static func packet(_ attributes: FileText, _ elements: FileText = "") -> [UInt8] {
        ("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(XMLNamespace.rdf)\">"
            + "<rdf:Description rdf:about=\"\"\(attributes)>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>"
            as FileText)
            .bytes
    }
}
