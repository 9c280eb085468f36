import Bytes
import MediaModel

/// Collects the AAC packets of a movie to be written, then builds their `trak`.
struct AudioTrackBuilder {
    private let format: AudioFormat
    private let sampleRate: UInt16
    private let channels: UInt16
    private let framesPerPacket: UInt32
    private var chunks: ChunkTable

    init(_ format: AudioFormat) throws(MovieWriterError) {
        guard let sampleRate = UInt16(exactly: format.sampleRate), let channels = UInt16(exactly: format.channels),
            let framesPerPacket = UInt16(exactly: format.framesPerPacket),
            sampleRate > 0, channels > 0, framesPerPacket > 0, format.audioSpecificConfig.count <= UInt8.max
        else { throw .audioFormatOutOfRange }
        self.format = format
        self.sampleRate = sampleRate
        self.channels = channels
        self.framesPerPacket = UInt32(framesPerPacket)
        chunks = ChunkTable(timescale: format.sampleRate)
    }

    var isEmpty: Bool { chunks.sizes.isEmpty }

    mutating func add(at offset: Int, size: UInt32) {
        chunks.add(offset: offset, size: size, duration: Int(framesPerPacket))
    }

    /// The `trak`, whose duration is that of the initial silence and the audible part.
    func track(id: UInt32, edit: AudioEdit, times: HeaderTimes) throws(MovieWriterError) -> TrackBox {
        let delay = try MovieWriter.ticks(edit.delay)
        let duration = try MovieWriter.ticks(edit.duration)
        let mediaDuration = chunks.sizes.count * Int(framesPerPacket)
        try check(edit, duration: duration, mediaDuration: mediaDuration)
        let header = TrackHeaderBox(
            times: times, trackID: id, duration: UInt64(delay) + UInt64(duration), alternateGroup: 1, volume: 1 << 8)
        let mediaHeader = MediaHeaderBox(
            times: times, timescale: UInt32(sampleRate), duration: UInt64(mediaDuration))
        var edits = [EditListBox.Entry(duration: UInt64(duration), mediaTime: Int64(edit.firstSample))]
        if delay > 0 { edits.insert(EditListBox.Entry(duration: UInt64(delay), mediaTime: nil), at: 0) }
        let packets = TimeToSampleBox(count: UInt32(chunks.sizes.count), duration: framesPerPacket)
        return TrackBox(
            header: header, edit: EditBox(EditListBox(entries: edits)),
            media: MediaBox(
                header: mediaHeader, handler: .sound,
                information: MediaInformationBox(
                    mediaHeader: .soundMediaHeader,
                    sampleTable: chunks.sampleTable(SampleDescriptionBox(sampleEntry), packets))))
    }

    /// Throws unless the edit is within the media, except for the rounding of its end to a tick of the movie.
    private func check(_ edit: AudioEdit, duration: Int32, mediaDuration: Int) throws(MovieWriterError) {
        guard duration > 0, (0..<mediaDuration).contains(edit.firstSample),
            (Int(duration) - 1) * Int(sampleRate) <= (mediaDuration - edit.firstSample) * Int(MovieWriter.timescale)
        else { throw .audioEditMismatch }
    }

    /// A version 1 sound description with the decoder's parameters in `wave` (QuickTime File Format, "Sound sample
    /// description (version 1)").
    private var sampleEntry: AudioSampleEntry {
        let packets = AudioSampleEntry.Packets(
            samplesPerPacket: framesPerPacket, bytesPerPacket: 0, bytesPerFrame: 0, bytesPerSample: 2)
        let stream = ESDescriptorBox(
            // A decoder's buffer for one packet: 6144 bits a channel (ISO/IEC 14496-3, 4.5.3.2).
            bufferSize: UInt32(channels) * 768, maximumBitRate: bitRate(window: packetsPerSecond),
            averageBitRate: bitRate(window: chunks.sizes.count), decoderSpecificInfo: format.audioSpecificConfig)
        return AudioSampleEntry(
            type: "mp4a", layout: .version1(packets), channelCount: channels,
            compressionID: AudioSampleEntry.variableBitRate, sampleRate: UInt32(sampleRate) << 16,
            wave: SoundWaveBox(mpeg4: stream))
    }

    private var packetsPerSecond: Int {
        min((Int(sampleRate) + Int(framesPerPacket) - 1) / Int(framesPerPacket), chunks.sizes.count)
    }

    /// Bits a second of the largest `window` packets in a row.
    private func bitRate(window: Int) -> UInt32 {
        guard window > 0 else { return 0 }
        var bytes = chunks.sizes.prefix(window).reduce(0) { $0 + Int($1) }
        var most = bytes
        for (entering, leaving) in zip(chunks.sizes.dropFirst(window), chunks.sizes) {
            bytes += Int(entering) - Int(leaving)
            most = max(most, bytes)
        }
        return UInt32(clamping: most * 8 * Int(sampleRate) / (window * Int(framesPerPacket)))
    }
}
