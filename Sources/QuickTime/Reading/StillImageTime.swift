package import Bytes
package import MediaModel

/// When the key photo was taken, as a movie says it in a timed metadata track.
package struct StillImageTime: Sendable, Hashable {
    package let trackID: UInt32
    /// When the sample is presented, on the movie's timeline: this is the still time.
    package let time: MediaTime
    /// What the sample says; one byte FF in every real file.
    package let value: [UInt8]
}

extension MovieReader {
    /// The still image time of the first track that has one.
    ///
    /// - Throws: `ParseError` when a timed metadata track is damaged; `Errno` of pread(2).
    package func stillImageTime() throws -> StillImageTime? {
        for track in tracks where track.kind == .metadata {
            guard let localID = try track.localID(of: .stillImageTime) else { continue }
            for sample in try track.samples().prefix(MovieLimits.searchedMetadataSamples) {
                guard sample.size <= MovieLimits.metadataSampleSize else { continue }
                let values = TimedMetadataSample(bytes: try bytes(of: sample), fileOffset: sample.offset)
                guard let value = try values.value(of: localID) else { continue }
                return StillImageTime(trackID: track.id, time: sample.presentationTime, value: value)
            }
        }
        return nil
    }
}

extension Track {
    /// What stands for a key in the samples of a timed metadata track; nil where it has none of this key.
    package func localID(of key: MetadataKey) throws(ParseError) -> UInt32? {
        let descriptions = box.media.information.sampleTable.descriptions
        guard descriptions.entries.first?.type == TimedMetadataSampleEntry.type else { return nil }
        let entry = try descriptions.firstEntry(as: TimedMetadataSampleEntry.self)
        return entry?.keys.first { $0.key == key }?.localID
    }
}

/// A sample of a timed metadata track: a sequence of [u32 size, u32 local key id, value].
struct TimedMetadataSample {
    let bytes: [UInt8]
    let fileOffset: Int

    /// The first value of a key.
    func value(of localID: UInt32) throws(ParseError) -> [UInt8]? {
        var reader = ByteReader(bytes, structure: "timed metadata sample", fileOffset: fileOffset)
        while let child = try reader.nextBox() {
            guard child.type.rawValue == localID else { continue }
            var payload = child.payload
            return payload.rest()
        }
        return nil
    }
}
