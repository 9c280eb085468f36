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
        case .allButLocation:
            var new: [Int: [UInt8]] = [:]
            if mayStateLocationInXMP {
                let packet = xmpWithoutLocation.map { Self.segment(.app1, Self.xmpSignature + $0) }
                new = replacing(xmp, with: packet ?? [])
            }
            let old = photoshop.map { Array(bytes[segments[$0].content]) }
            let data = (try? photoshopData()?.segments(keepsPlaces: true, keepsLocation: false)) ?? []
            guard data != old else { return new }
            return new.merging(replacing(photoshop, with: data.flatMap { Self.segment(.app13, $0) })) { $1 }
        }
    }

    private func indices(_ isWanted: (Segment) -> Bool) -> [Int] { segments.indices.filter { isWanted(segments[$0]) } }

    /// The first segment is replaced, and the others go.
    private func replacing(_ indices: [Int], with new: [UInt8]) -> [Int: [UInt8]] {
        Dictionary(uniqueKeysWithValues: indices.map { ($0, $0 == indices.first ? new : []) })
    }

    /// Whether XMP states, or may state, where the photo was taken.
    private var mayStateLocationInXMP: Bool {
        let packets = contents(of: Self.xmpSignature).map { Array(bytes[$0]) }
        let further = contents(of: Self.xmpExtensionSignature)
        if packets.count > 1 || packets.contains(where: XMP.mayStateLocation) { return true }
        guard !further.isEmpty else { return false }
        guard let packet = packets.first, let guid = try? XMP(packet)[XMLNamespace.xmpNote, "HasExtendedXMP"]?.text,
            further.allSatisfy({ bytes[$0].starts(with: guid.bytes) }), let text = try? extendedXMP(guid.bytes)
        else { return true }
        return XMP.mayStateLocation(text)
    }

    /// The packet without where the photo was taken, with the properties in further segments if they fit; nil for none.
    private var xmpWithoutLocation: [UInt8]? {
        guard let packet = xmpPacket?.packet else { return nil }
        let limit = Self.contentLimit - Self.xmpSignature.count
        return [(try? mergedXMP(packet)) ?? nil, packet].lazy.compactMap(\.self).compactMap(XMP.withoutLocation)
            .first { $0.count <= limit }
    }
}
