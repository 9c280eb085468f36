import Bytes
import ISOBMFF
import MediaModel

/// The part of a track that is shown within a range of the movie's timeline: its samples, and its new edit list.
struct TrackCut {
    private let tables: SampleTableCut
    /// The silence or emptiness before the media, in ticks of the movie.
    private let delay: UInt64
    /// The first media time that is shown, in ticks of the old media.
    private let mediaStart: Int64
    /// In ticks of the movie, at least 1.
    private let duration: UInt64

    /// - Parameters:
    ///   - kept: at least one sample.
    ///   - delay: before the media.
    ///   - mediaStart: in ticks of the media.
    init(_ samples: SampleSequence, keeping kept: Range<Int>, delay: UInt64, mediaStart: Int64, duration: UInt64) {
        tables = SampleTableCut(samples, keeping: kept)
        (self.delay, self.mediaStart, self.duration) = (delay, mediaStart, max(duration, 1))
    }

    /// Cuts a track whose samples are presented in decode order.
    ///
    /// The edit list begins exactly at the start, to a tick of the media, even within a sample; so the track keeps its
    /// place beside the video.
    ///
    /// - Parameters:
    ///   - start: the time in the movie that becomes 0.
    ///   - end: the end of the range; nil keeps everything after `start`.
    /// - Returns: nil if nothing of the track is in the range.
    /// - Throws: `MovieEditError` for a track that cannot be cut.
    init?(_ track: Track, from start: MediaTime, to end: MediaTime?, movieTimescale: Int32) throws {
        try track.checkCuttable()
        guard track.hasExactSampleSizes else { throw MovieEditError.soundWithoutSizes(trackID: track.id) }
        let samples: SampleSequence
        do throws(ParseError) { samples = try track.samples() } catch { throw MovieEditError.damaged(error) }
        let (timeline, timescale) = (samples.timeline, samples.timescale)
        let mediaStart = timeline.mediaStart.value
        let durations = samples.table.timeToSample.entries
        var mediaEnd = durations.ticks(of: samples.count)
        if let shown = timeline.duration { mediaEnd = min(mediaEnd, mediaStart + shown.rescaled(to: timescale).value) }
        let first = max(start, timeline.delay)
        let newStart = mediaStart + (first - timeline.delay).rescaled(to: timescale).value
        if let end { mediaEnd = min(mediaEnd, mediaStart + (end - timeline.delay).rescaled(to: timescale).value) }
        guard newStart < mediaEnd, samples.count > 0 else { return nil }
        var kept = durations.samples(in: newStart..<mediaEnd, of: samples.count)
        guard !kept.isEmpty else { return nil }
        // The decoder of compressed sound needs the packet before the first one that is heard.
        if track.kind == .audio, kept.lowerBound > 0, durations.first?.duration != 1 {
            kept = kept.lowerBound - 1..<kept.upperBound
        }
        let shown = MediaTime(value: mediaEnd - newStart, timescale: timescale)
        self.init(
            samples, keeping: kept, delay: UInt64(max(0, (first - start).rescaled(to: movieTimescale).value)),
            mediaStart: newStart, duration: UInt64(max(0, shown.rescaled(to: movieTimescale, .down).value)))
    }

    /// The time from the start of the movie to the end of the track, in ticks of the movie.
    var trackDuration: UInt64 { delay + duration }

    /// - Parameter boxes: the boxes in `trak`.
    func apply(to boxes: inout [OpaqueBox]) throws {
        try boxes.edit([TrackHeaderBox.type]) { box in
            try box.edit(as: TrackHeaderBox.self) { $0.duration = trackDuration }
        }
        var edits = [EditListBox.Entry(duration: duration, mediaTime: mediaStart - tables.start + tables.shift)]
        if delay > 0 { edits.insert(EditListBox.Entry(duration: delay, mediaTime: nil), at: 0) }
        let edit = OpaqueBox(writing: EditBox(EditListBox(entries: edits)))
        if let index = boxes.firstIndex(of: EditBox.type) {
            boxes[index] = edit
        } else {
            boxes.insert(edit, at: boxes.firstIndex(of: MediaBox.type) ?? boxes.count)
        }
        try boxes.edit([MediaBox.type, MediaHeaderBox.type]) { box in
            try box.edit(as: MediaHeaderBox.self) { $0.duration = UInt64(tables.duration) }
        }
        try boxes.edit(.sampleTable) { try $0.editBoxes { try tables.apply(to: &$0) } }
    }
}

extension [TimeToSampleBox.Entry] {
    /// The duration of the first samples, in ticks.
    fileprivate func ticks(of count: Int) -> Int64 {
        var (ticks, left) = (Int64(0), count)
        for entry in self where left > 0 {
            let used = Swift.min(left, Int(entry.count))
            ticks += Int64(used) * Int64(entry.duration)
            left -= used
        }
        return ticks
    }

    /// The samples that are presented at least partly within a range of decode times, which is not empty.
    fileprivate func samples(in range: Range<Int64>, of count: Int) -> Range<Int> {
        var (first, end) = (count, count)
        var (index, ticks) = (0, Int64(0))
        for entry in self where index < count {
            let used = Swift.min(Int(entry.count), count - index)
            guard entry.duration > 0 else {
                index += used
                continue
            }
            let next = ticks + Int64(used) * Int64(entry.duration)
            func sample(at time: Int64) -> Int { index + Int((time - ticks) / Int64(entry.duration)) }
            if first == count, range.lowerBound < next { first = sample(at: Swift.max(range.lowerBound, ticks)) }
            if range.upperBound <= next {
                end = sample(at: Swift.max(range.upperBound - 1, ticks)) + 1
                break
            }
            (index, ticks) = (index + used, next)
        }
        first = Swift.min(first, count)
        return first..<Swift.max(first, Swift.min(end, count))
    }
}

extension Track {
    /// Throws unless the track is shown in one part at its own speed.
    func checkCuttable() throws(MovieEditError) {
        let edits = (box.edit?.list?.entries ?? []).drop { $0.mediaTime == nil }
        guard edits.count <= 1, edits.allSatisfy({ $0.rate == 1 << 16 }) else {
            throw .severalEdits(trackID: id)
        }
    }

    /// Uncompressed formats of sound, whose frames have as many bytes as their channels and bits need.
    private static let uncompressedTypes: Set<FourCC> = [
        "raw ", "NONE", "twos", "sowt", "in24", "in32", "fl32", "fl64", "lpcm", "ulaw", "alaw",
    ]

    /// Whether the tables state the sizes of the samples. Old QuickTime movies state 1 byte for each sample of sound and
    /// leave the true size to the description (QuickTime File Format, "Sample size atoms").
    var hasExactSampleSizes: Bool {
        let table = box.media.information.sampleTable
        guard kind == .audio, case .uniform(let size, _) = table.sampleSizes.sizes,
            table.timeToSample.entries.first?.duration == 1
        else { return true }
        guard let entry = try? table.descriptions.firstEntry(as: AudioSampleEntry.self),
            Self.uncompressedTypes.contains(entry.type)
        else { return false }
        return Int(size) == entry.bytesPerFrame
    }
}

extension AudioSampleEntry {
    /// The bytes of one sample of all channels of uncompressed sound; nil if they are unknown.
    fileprivate var bytesPerFrame: Int? {
        if type == "ulaw" || type == "alaw" { return channels }
        switch layout {
        case .version0: return channels * ((Int(sampleSize) + 7) / 8)
        case .version1(let packets): return Int(exactly: packets.bytesPerFrame)
        case .version2(let format):
            // The constant, bits of a channel and flags precede the bytes of a packet.
            let bytes = format.otherFields.dropFirst(12).prefix(4)
            return bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | Int($1) } : nil
        }
    }
}
