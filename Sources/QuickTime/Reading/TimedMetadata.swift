package import Bytes
import ISOBMFF
import MediaModel

/// One value of a sample of a timed metadata track.
package struct TimedMetadataValue: Sendable, Hashable {
    /// The number that identifies the key in the sample.
    package let localID: UInt32
    /// Nil if the sample entry does not list the local id.
    package let key: MetadataKey?
    package let dataType: TimedMetadataSampleEntry.DataType?
    package let bytes: [UInt8]

    /// The content, decoded by its type.
    package var content: MetadataContent {
        switch dataType {
        case .wellKnown(let type): MetadataValue(type: type, bytes: bytes).content
        case .named where key == .livePhotoInfo && bytes.count >= 4:
            (try? LivePhotoInfo(bytes)).map { .livePhotoInfo($0) }
                ?? .otherLivePhotoInfo(
                    version: bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }, byteCount: bytes.count)
        case .named, nil: .data(bytes)
        }
    }
}

extension TimedMetadataSampleEntry.DataType: CustomStringConvertible {
    /// `int8`, or the reverse-DNS name.
    package var description: String {
        switch self {
        case .wellKnown(let type): type.description
        case .named(_, let name): name.description
        }
    }
}

extension Track {
    /// The keys of a timed metadata track, by its first sample entry; none if that entry is of another kind.
    ///
    /// - Throws: if the entry cannot be read.
    package func metadataKeys() throws(ParseError) -> [TimedMetadataSampleEntry.Key] {
        let descriptions = box.media.information.sampleTable.descriptions
        guard descriptions.entries.first?.type == TimedMetadataSampleEntry.type else { return [] }
        return try descriptions.firstEntry(as: TimedMetadataSampleEntry.self)?.keys ?? []
    }

    /// Whether a program without support for timed metadata, such as `ffmpeg -map 0 -c copy`, has removed the format of a
    /// timed metadata track but kept the name of its handler.
    package var isStrippedTimedMetadata: Bool {
        kind != .metadata && box.media.handler.name == HandlerBox.timedMetadata.name
            && box.media.information.sampleTable.descriptions.entries.first?.type != TimedMetadataSampleEntry.type
    }
}

extension MovieReader {
    /// The values of a sample of a timed metadata track, in order.
    ///
    /// - Parameter keys: the keys of its track.
    /// - Throws: `ParseError` when the sample is damaged or larger than any real one; `Errno` of pread(2).
    package func values(
        of sample: Sample, keys: [TimedMetadataSampleEntry.Key]
    ) throws -> [TimedMetadataValue] {
        guard sample.size <= MovieLimits.metadataSampleSize else {
            throw ParseError(
                .overLimit, in: "timed metadata sample", at: sample.offset,
                expected: "at most \(MovieLimits.metadataSampleSize) bytes")
        }
        var reader = ByteReader(
            try bytes(of: sample), structure: "timed metadata sample", fileOffset: sample.offset)
        let keys = Dictionary(keys.map { ($0.localID, $0) }) { first, _ in first }
        var values: [TimedMetadataValue] = []
        // Each is [u32 size, u32 local key id, value]: the shape of a box.
        while let child = try reader.nextBox() {
            var payload = child.payload
            let key = keys[child.type.rawValue]
            values.append(
                TimedMetadataValue(
                    localID: child.type.rawValue, key: key?.key, dataType: key?.dataType, bytes: payload.rest()))
        }
        return values
    }
}
