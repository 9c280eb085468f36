package import Bytes
import ISOBMFF
package import MediaModel

/// `keys`: the names that the item list refers to by number (QuickTime File Format, "Metadata item keys atom").
/// In `meta`.
package struct MetadataKeysBox: Box {
    package static var type: FourCC { "keys" }

    package var keys: [MetadataKey]

    /// The key of this number, counted from 1; nil if there is none.
    package subscript(index: UInt32) -> MetadataKey? {
        guard index > 0, index <= keys.count else { return nil }
        return keys[Int(index) - 1]
    }

    /// The number of a key, which is added if it is new.
    mutating func index(adding key: MetadataKey) -> UInt32 {
        if let known = keys.firstIndex(of: key) { return UInt32(known + 1) }
        keys.append(key)
        return UInt32(keys.count)
    }
}

extension MetadataKeysBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        _ = try reader.fullBoxHeader()
        let count = try reader.integer(UInt32.self)
        keys = []
        for _ in 0..<count {
            let start = reader
            let size = Int(try reader.integer(UInt32.self))
            guard size >= 8 else { throw start.error(.invalidValue, expected: "a key of 8 bytes or more") }
            var key = try reader.reader(size - 4, structure: reader.structure)
            keys.append(try MetadataKey(from: &key))
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader()
        writer.count(keys)
        for key in keys {
            // Size, name space, name: the shape of a box whose type is the name space.
            writer.box(key.space) { $0.append(key.name.bytes) }
        }
    }
}

/// The name of a value, in a name space.
package struct MetadataKey: Sendable, Hashable {
    /// `mdta`: a reverse-DNS name.
    package var space: FourCC
    package var name: FileText

    package init(space: FourCC = "mdta", _ name: FileText) {
        self.space = space
        self.name = name
    }

    /// Whether a player plays the Live Photo by itself, if its vitality score is at least 0.5.
    package static let autoplay = MetadataKey("com.apple.quicktime.live-photo.auto")
    package static let contentIdentifier = MetadataKey("com.apple.quicktime.content.identifier")
    package static let creationDate = MetadataKey("com.apple.quicktime.creationdate")
    /// 1 to play all frames at their own times, 0 for slow motion.
    package static let fullFrameRatePlaybackIntent = MetadataKey(
        "com.apple.quicktime.full-frame-rate-playback-intent")
    package static let livePhotoInfo = MetadataKey("com.apple.quicktime.live-photo-info")
    package static let location = MetadataKey("com.apple.quicktime.location.ISO6709")
    package static let make = MetadataKey("com.apple.quicktime.make")
    package static let model = MetadataKey("com.apple.quicktime.model")
    package static let stillImageTime = MetadataKey("com.apple.quicktime.still-image-time")
    package static let stillImageTransform = MetadataKey("com.apple.quicktime.live-photo-still-image-transform")
    package static let stillImageTransformReferenceDimensions = MetadataKey(
        "com.apple.quicktime.live-photo-still-image-transform-reference-dimensions")
    /// From 0 to 1.
    package static let vitalityScore = MetadataKey("com.apple.quicktime.live-photo.vitality-score")
    package static let vitalityScoringVersion = MetadataKey("com.apple.quicktime.live-photo.vitality-scoring-version")
}

extension MetadataKey {
    /// Reads name space and name, up to the end.
    init(from reader: inout ByteReader) throws(ParseError) {
        space = try reader.fourCC()
        name = FileText(reader.rest())
    }

    func write(to writer: inout ByteWriter) {
        writer.fourCC(space)
        writer.append(name.bytes)
    }
}
