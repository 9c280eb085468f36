import Bytes
import ISOBMFF

/// The timed metadata track whose single sample is presented at the still time of a Live Photo. Readers ignore the value
/// of the sample, which is always -1.
package enum StillImageTimeTrack {
    /// The sample: [u32 size, u32 local key id, int8 -1].
    package static let sample: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 1, 0xFF]

    /// The sample followed by values of other keys, whose local ids begin with 2.
    static func sample(otherValues: [TimedMetadataValue]) -> [UInt8] {
        zip(UInt32(2)..., otherValues).reduce(sample) { bytes, value in
            bytes + OpaqueBox(type: FourCC(rawValue: value.0), payload: value.1.bytes).bytes
        }
    }

    /// The `trak`.
    ///
    /// - Parameters:
    ///   - stillTime: in ticks of the movie's timescale.
    ///   - sampleOffset: the file offset of `sample`.
    ///   - otherValues: further values of the sample, each with a key and a type.
    ///   - videoTrackID: the track that it describes.
    package static func track(
        id: UInt32, stillTime: UInt64, sampleOffset: UInt64, otherValues: [TimedMetadataValue] = [],
        videoTrackID: UInt32, times: HeaderTimes
    ) -> TrackBox {
        let header = TrackHeaderBox(times: times, trackID: id, duration: stillTime + 1)
        // One tick, whatever the timescale: cameras write 1/600 s.
        let mediaHeader = MediaHeaderBox(times: times, timescale: 600, duration: 1)
        var edits = [EditListBox.Entry(duration: 1, mediaTime: 0)]
        if stillTime > 0 { edits.insert(EditListBox.Entry(duration: stillTime, mediaTime: nil), at: 0) }
        let first = TimedMetadataSampleEntry.Key(localID: 1, key: .stillImageTime, dataType: .wellKnown(.int8))
        let others = zip(UInt32(2)..., otherValues).compactMap { localID, value in
            value.key.flatMap { key in
                value.dataType.map { TimedMetadataSampleEntry.Key(localID: localID, key: key, dataType: $0) }
            }
        }
        let table = SampleTableBox(
            descriptions: SampleDescriptionBox(TimedMetadataSampleEntry(keys: [first] + others)),
            timeToSample: TimeToSampleBox(count: 1, duration: 1),
            sampleToChunk: SampleToChunkBox(samplesPerChunk: [1]),
            sampleSizes: SampleSizeBox([UInt32(sample(otherValues: otherValues).count)]),
            chunkOffsets: ChunkOffsetBox(offsets: [sampleOffset]))
        return TrackBox(
            header: header, edit: EditBox(EditListBox(entries: edits)),
            references: TrackReferenceBox(references: [.init(type: "cdsc", trackIDs: [videoTrackID])]),
            media: MediaBox(
                header: mediaHeader, handler: .timedMetadata,
                information: MediaInformationBox(
                    mediaHeader: .baseMediaHeader, sampleTable: table)))
    }
}
