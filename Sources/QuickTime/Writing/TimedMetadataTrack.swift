import Bytes
import ISOBMFF
import MediaModel

extension MovieTimedMetadata.Track {
    /// The `trak` in a movie of `MovieWriter`, which rounds the samples' times like those of frames.
    ///
    /// - Parameters:
    ///   - offset: the file offset of the first sample; the others follow it.
    ///   - videoTrackID: the track that it describes.
    func track(id: UInt32, offset: Int, videoTrackID: UInt32, times: HeaderTimes) throws(MovieWriterError) -> TrackBox {
        var ticks: [Int32] = []
        for sample in samples { ticks.append(try MovieWriter.ticks(sample.time.rescaled(to: MovieWriter.timescale))) }
        guard let first = ticks.first, let last = samples.last else { throw .timeOffGrid(.zero) }
        let end = try MovieWriter.ticks((last.time + last.duration).rescaled(to: MovieWriter.timescale))
        let durations = zip(ticks.dropFirst() + [max(end, (ticks.last ?? 0) + 1)], ticks).map { UInt32($0 - $1) }
        var chunks = ChunkTable(timescale: Int(MovieWriter.timescale))
        var place = offset
        for (sample, duration) in zip(samples, durations) {
            chunks.add(offset: place, size: try MovieWriter.size(sample.bytes), duration: Int(duration))
            place += sample.bytes.count
        }
        let total = durations.reduce(0) { $0 + UInt64($1) }
        var edits = [EditListBox.Entry(duration: total, mediaTime: 0)]
        if first > 0 { edits.insert(EditListBox.Entry(duration: UInt64(first), mediaTime: nil), at: 0) }
        var descriptions = SampleDescriptionBox(TimedMetadataSampleEntry(keys: []))
        descriptions.entries = [OpaqueBox(type: TimedMetadataSampleEntry.type, payload: description)]
        let table = chunks.sampleTable(descriptions, TimeToSampleBox(durations: durations))
        return TrackBox(
            header: TrackHeaderBox(times: times, trackID: id, duration: UInt64(first) + total),
            edit: EditBox(EditListBox(entries: edits)),
            references: references.isEmpty
                ? nil : TrackReferenceBox(references: references.map { .init(type: $0, trackIDs: [videoTrackID]) }),
            media: MediaBox(
                header: MediaHeaderBox(times: times, timescale: UInt32(MovieWriter.timescale), duration: total),
                handler: .timedMetadata,
                information: MediaInformationBox(mediaHeader: .baseMediaHeader, sampleTable: table)))
    }
}
