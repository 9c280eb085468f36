import Bytes
import MediaModel

/// The segments that stay when metadata are removed.
extension JPEG {
    /// What comes in place of segments, by their indices; empty for nothing.
    func replacements(keeping kept: KeptMetadata) -> [Int: [UInt8]] {
        switch kept {
        case .all: return [:]
        case .nothing: return replacing(indices { !isNeededToShow($0) }, with: [])
        case .allBut(let statements):
            let xmp = indices {
                isSegment($0, .app1, Self.xmpSignature) || isSegment($0, .app1, Self.xmpExtensionSignature)
            }
            var changes = xmpSegments(xmp, without: statements)
            let photoshop = indices { $0.marker == .app13 }
            changes.merge(photoshopSegments(photoshop, without: statements)) { first, _ in first }
            if statements.removesUnreadable {
                for index in indices(where: hasContentCredentials) { changes[index] = [] }
            }
            return changes
        }
    }

    /// Whether a segment is a part of the picture, and not metadata about it: tables and headers, the colours, and what leads
    /// to a gain map.
    func isNeededToShow(_ segment: Segment) -> Bool {
        guard segment.marker.isMetadata else { return true }
        return isJFIF(segment) || isPictureList(segment) || isICCProfile(segment)
            || isSegment(segment, .app2, JPEGGainMap.isoSignature) || isSegment(segment, .app14, Self.adobeSignature)
    }

    /// The colour components (ITU-T T.872, 6.5.3).
    private static let adobeSignature = Array("Adobe".utf8)

    /// Whether a segment has a part of a manifest about where the content comes from (C2PA Technical Specification 2.2, A.4.1), which
    /// is not true of a changed file and may state a location: `JP`, two numbers, and a box `jumb`.
    func hasContentCredentials(_ segment: Segment) -> Bool {
        let content = bytes[segment.content]
        return isSegment(segment, .app11, Array("JP".utf8)) && content.dropFirst(12).starts(with: "jumb".utf8)
    }

    private func indices(where isWanted: (Segment) -> Bool) -> [Int] {
        segments.indices.filter { isWanted(segments[$0]) }
    }

    /// The first segment is replaced, and the others go.
    private func replacing(_ indices: [Int], with new: [UInt8]) -> [Int: [UInt8]] {
        Dictionary(uniqueKeysWithValues: indices.map { ($0, $0 == indices.first ? new : []) })
    }

    private func photoshopSegments(_ indices: [Int], without statements: KeptMetadata.Statements) -> [Int: [UInt8]] {
        do throws(ParseError) {
            let data = try photoshopData()
            if statements.removesUnreadable {
                let new = try data?.segments(keepsPlaces: true, without: statements) ?? []
                let old = indices.map { Array(bytes[segments[$0].content]) }
                return new == old ? [:] : replacing(indices, with: new.flatMap { Self.segment(.app13, $0) })
            }
            guard let data, data.mayHave(statements) else { return [:] }
            let new = try data.segments(keepsPlaces: true, keepsPicture: true, without: statements)
            return replacing(
                indices.filter { isSegment(segments[$0], .app13, PhotoshopData.signature) },
                with: new.flatMap { Self.segment(.app13, $0) })
        } catch {
            return statements.removesUnreadable ? replacing(indices, with: []) : [:]
        }
    }

    /// What comes in place of segments of XMP. Properties in further segments are moved into the first one if they are such
    /// statements; what does not fit, or cannot be read, goes only with the location.
    private func xmpSegments(_ indices: [Int], without statements: KeptMetadata.Statements) -> [Int: [UInt8]] {
        let packets = contents(of: Self.xmpSignature).map { Array(bytes[$0]) }
        let further = mayHaveInFurtherXMP(statements, packets.first)
        guard
            further || packets.count > 1 && statements.removesUnreadable
                || packets.contains(where: { XMP.mayHave(statements, $0) })
        else { return [:] }
        if statements.removesUnreadable || further && packets.count == 1, let packet = packets.first {
            let merged = try? mergedXMP(packet) ?? packet
            let new = (statements.removesUnreadable ? [merged, packet] : [merged]).lazy.compactMap(\.self)
                .compactMap { XMP.without(statements, $0) }.first { $0.count <= Self.packetLimit }
            if let new { return replacing(indices, with: Self.segment(xmp: new)) }
        }
        guard !statements.removesUnreadable else { return replacing(indices, with: []) }
        let main = indices.filter { isSegment(segments[$0], .app1, Self.xmpSignature) }
        return Dictionary(
            uniqueKeysWithValues: zip(main, packets).compactMap { index, packet in
                guard XMP.mayHave(statements, packet) else { return nil }
                guard let new = XMP.without(statements, packet, keepsLink: true), new.count <= Self.packetLimit else {
                    return nil
                }
                return (index, Self.segment(xmp: new))
            })
    }

    private static let packetLimit = contentLimit - xmpSignature.count

    private static func segment(xmp packet: [UInt8]) -> [UInt8] {
        packet.isEmpty ? [] : segment(.app1, xmpSignature + packet)
    }

    /// Whether the segments that continue a packet have such statements. Those that cannot be read count if they are to be removed.
    func mayHaveInFurtherXMP(_ statements: KeptMetadata.Statements, _ packet: [UInt8]?) -> Bool {
        let further = contents(of: Self.xmpExtensionSignature)
        guard !further.isEmpty else { return false }
        guard let packet, let guid = try? XMP(packet)[XMLNamespace.xmpNote, "HasExtendedXMP"]?.text,
            further.allSatisfy({ bytes[$0].starts(with: guid.bytes) }), let text = try? extendedXMP(guid.bytes)
        else { return statements.removesUnreadable }
        return XMP.mayHave(statements, text)
    }
}
