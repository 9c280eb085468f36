import Bytes
import MediaModel

/// XMP and Photoshop's data that stay when metadata are removed.
extension JPEG {
    /// What comes in place of segments, by their indices; empty for nothing.
    func replacements(keeping kept: KeptMetadata) -> [Int: [UInt8]] {
        let xmp = indices {
            isSegment($0, .app1, Self.xmpSignature) || isSegment($0, .app1, Self.xmpExtensionSignature)
        }
        let photoshop = indices { $0.marker == .app13 }
        switch kept {
        case .all: return [:]
        case .nothing: return replacing(xmp + photoshop, with: [])
        case .allBut(let statements):
            let unreadable: [UInt8]? = statements.areSecret ? [] : nil
            var new: [Int: [UInt8]] = [:]
            if mayHaveInXMP(statements), let packet = xmpPacket(without: statements) ?? unreadable {
                new = replacing(xmp, with: packet.isEmpty ? [] : Self.segment(.app1, Self.xmpSignature + packet))
            }
            let photoshop =
                unreadable == nil
                ? photoshop.filter { isSegment(segments[$0], .app13, PhotoshopData.signature) } : photoshop
            let old = photoshop.map { Array(bytes[segments[$0].content]) }
            guard let data = photoshopSegments(without: statements) ?? unreadable.map({ _ in [] }), data != old else {
                return new
            }
            return new.merging(replacing(photoshop, with: data.flatMap { Self.segment(.app13, $0) })) { $1 }
        }
    }

    private func indices(_ isWanted: (Segment) -> Bool) -> [Int] { segments.indices.filter { isWanted(segments[$0]) } }

    /// The first segment is replaced, and the others go.
    private func replacing(_ indices: [Int], with new: [UInt8]) -> [Int: [UInt8]] {
        Dictionary(uniqueKeysWithValues: indices.map { ($0, $0 == indices.first ? new : []) })
    }

    /// Nil for data that cannot be read.
    private func photoshopSegments(without statements: KeptMetadata.Statements) -> [[UInt8]]? {
        do throws(ParseError) {
            return try photoshopData()?.segments(
                keepsPlaces: true, keepsPicture: !statements.areSecret, without: statements) ?? []
        } catch {
            return nil
        }
    }

    /// Whether XMP has such statements, or may have them if they are secret.
    private func mayHaveInXMP(_ statements: KeptMetadata.Statements) -> Bool {
        let packets = contents(of: Self.xmpSignature).map { Array(bytes[$0]) }
        let further = contents(of: Self.xmpExtensionSignature)
        if packets.count > 1, statements.areSecret { return true }
        if packets.contains(where: { XMP.mayHave(statements, $0) }) { return true }
        guard !further.isEmpty else { return false }
        guard let packet = packets.first, let guid = try? XMP(packet)[XMLNamespace.xmpNote, "HasExtendedXMP"]?.text,
            further.allSatisfy({ bytes[$0].starts(with: guid.bytes) }), let text = try? extendedXMP(guid.bytes)
        else { return statements.areSecret }
        return XMP.mayHave(statements, text)
    }

    /// The packet without these statements, with the properties in further segments; secret statements go without those if they
    /// cannot be read, or do not fit. Empty if no property is left; nil if it cannot be told.
    private func xmpPacket(without statements: KeptMetadata.Statements) -> [UInt8]? {
        guard let packet = xmpPacket?.packet else { return nil }
        let limit = Self.contentLimit - Self.xmpSignature.count
        let whole = try? mergedXMP(packet) ?? packet
        return (statements.areSecret ? [whole, packet] : [whole]).lazy.compactMap(\.self)
            .compactMap { XMP.without(statements, $0) }.first { $0.count <= limit }
    }
}
