package import Bytes
import ISOBMFF
package import MediaModel

/// The format of the samples of a track, from the first entry of its `stsd`.
package struct SampleFormat: Sendable, Hashable {
    package enum Media: Sendable, Hashable {
        /// - Parameters:
        ///   - bitDepth: of luma; nil if the entry does not state it.
        case video(size: PixelSize, bitDepth: Int?, color: ColorDescription?)
        /// - Parameters:
        ///   - rate: samples a second.
        case audio(rate: Double, channels: Int)
        case other
    }

    /// The type of the entry: `avc1`, `mp4a`, `mebx`; `encv` or `enca` if it is encrypted.
    package let type: FourCC
    /// The original type of an encrypted track (`frma`), if it is stated; otherwise `type`.
    package let originalType: FourCC
    package var isEncrypted: Bool { Self.encryptedTypes.contains(type) }
    /// H.264 and HEVC, whose entries have boxes after their fields.
    static let livePhotoVideoTypes: Set<FourCC> = ["avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe"]
    static let encryptedTypes: Set<FourCC> = ["encv", "enca", "enct", "encs", "drmi", "drms"]
    /// The name for display, such as `H.264 High, level 4.0`; the type if it has no name.
    package let name: String
    package let media: Media
}

extension Track {
    /// The format of its samples; nil if `stsd` has no entry.
    ///
    /// - Throws: if the entry cannot be read.
    package func format() throws(ParseError) -> SampleFormat? {
        let descriptions = box.media.information.sampleTable.descriptions
        guard let type = descriptions.entries.first?.type else { return nil }
        switch kind {
        case .video:
            guard let entry = try descriptions.firstEntry(as: VisualSampleEntry.self) else { return nil }
            return try SampleFormat(entry)
        case .audio:
            guard let entry = try descriptions.firstEntry(as: AudioSampleEntry.self) else { return nil }
            return try SampleFormat(entry)
        case .metadata, .other:
            let name = type == TimedMetadataSampleEntry.type ? "timed metadata" : type.description
            return SampleFormat(type: type, originalType: type, name: name, media: .other)
        }
    }
}

extension SampleFormat {
    init(_ entry: VisualSampleEntry) throws(ParseError) {
        let original = try Self.originalType(in: entry.others) ?? entry.type
        let description = try Self.description(of: entry)
        self.init(
            type: entry.type, originalType: original, name: description.name ?? Self.name(of: original),
            media: .video(size: entry.size, bitDepth: description.bitDepth, color: entry.color?.description))
    }

    init(_ entry: AudioSampleEntry) throws(ParseError) {
        let original = try Self.originalType(in: entry.others) ?? entry.type
        let name = entry.elementaryStream.flatMap { Self.name(of: $0) }
        self.init(
            type: entry.type, originalType: original, name: name ?? Self.name(of: original),
            media: .audio(
                rate: entry.rate, channels: entry.elementaryStream.flatMap { Self.channels(of: $0) } ?? entry.channels))
    }

    /// The channels in the decoder's configuration (ISO/IEC 14496-3, 1.6.2.1), which decoders use: many MP4 files always
    /// state 2 in the entry. Nil if the configuration states them elsewhere, or parametric stereo adds channels.
    private static func channels(of stream: ESDescriptorBox) -> Int? {
        let info = stream.decoderSpecificInfo
        guard stream.objectType == 0x40, info.count > 1 else { return nil }
        let (objectType, rateIndex) = (info[0] >> 3, (info[0] & 7) << 1 | info[1] >> 7)
        guard objectType != 29, objectType != 31, rateIndex != 15 else { return nil }
        let configuration = info[1] >> 3 & 15
        return (1...7).contains(configuration) ? Int(configuration == 7 ? 8 : configuration) : nil
    }

    /// `sinf`/`frma`: the format before encryption (ISO/IEC 14496-12, 8.12).
    private static func originalType(in boxes: [OpaqueBox]) throws(ParseError) -> FourCC? {
        guard var protection = boxes.first(where: { $0.type == "sinf" })?.reader else { return nil }
        while let child = try protection.nextBox() {
            guard child.type == "frma" else { continue }
            var payload = child.payload
            return try payload.fourCC()
        }
        return nil
    }

    private static func description(of entry: VisualSampleEntry) throws(ParseError) -> (name: String?, bitDepth: Int?) {
        if let configuration = entry.configuration {
            return (configuration.name, configuration.highProfile.map { Int($0.lumaBitDepth) } ?? 8)
        }
        if let configuration = try entry.hevcConfiguration() {
            return (configuration.name, Int(configuration.lumaBitDepth))
        }
        for box in entry.others {
            var reader = box.reader
            if box.type == "av1C" { return try av1Description(from: &reader) }
            if box.type == "vpcC" { return try vp9Description(from: &reader, of: entry.type) }
        }
        return (nil, nil)
    }

    /// AV1 Codec ISO Media File Format Binding, 2.3.3.
    private static func av1Description(
        from reader: inout ByteReader
    ) throws(ParseError) -> (name: String?, bitDepth: Int?) {
        try reader.skip(1)
        let (profileAndLevel, flags) = (try reader.integer(UInt8.self), try reader.integer(UInt8.self))
        let profiles = ["Main", "High", "Professional"]
        let profile = Int(profileAndLevel >> 5)
        let profileName = profile < profiles.count ? profiles[profile] : "profile \(profile)"
        let level = profileAndLevel & 0x1F
        let bitDepth = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
        return ("AV1 \(profileName), level \(2 + (level >> 2)).\(level & 3)", bitDepth)
    }

    /// VP Codec ISO Media File Format Binding, version 1.
    private static func vp9Description(
        from reader: inout ByteReader, of type: FourCC
    ) throws(ParseError) -> (name: String?, bitDepth: Int?) {
        _ = try reader.fullBoxHeader(latest: 1)
        let (profile, level) = (try reader.integer(UInt8.self), try reader.integer(UInt8.self))
        let bitDepth = Int(try reader.integer(UInt8.self) >> 4)
        return ("\(name(of: type)) profile \(profile), level \(level / 10).\(level % 10)", bitDepth)
    }
}
