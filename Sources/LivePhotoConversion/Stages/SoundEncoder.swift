import FFmpegKit
import LivePhotoKit

/// Decodes any sound, and makes AAC-LC of it that begins with the movie, to the sample.
final class SoundEncoder: SoundStage {
    let format: SoundFormat
    private(set) var warning: String?
    private let reader: ClipReader
    private let stream: Int
    private let start: MediaTime
    private let end: MediaTime
    private let encoder: AACEncoder
    private let decoder: Decoder
    private var graph: FilterGraph?
    private var sampleCount: Int64 = 0
    private var nextTime: MediaTime?

    init(
        _ reader: ClipReader, stream: Int, sampleRate: Int, channels: Int, bitRate: Int, start: MediaTime,
        end: MediaTime
    ) throws {
        encoder = try AACEncoder(sampleRate: sampleRate, channels: channels, bitRate: bitRate)
        decoder = try Decoder(reader.demuxer, stream: stream, threads: 1)
        format = SoundFormat(
            sampleRate: sampleRate, channels: channels, configuration: encoder.configuration, bitRate: bitRate)
        self.reader = reader
        self.stream = stream
        self.start = start
        self.end = end
    }

    func receive(_ packet: Packet, _ output: ([UInt8]) throws -> Void) throws -> Bool {
        try decoder.send(packet)
        try decodeAll(output)
        guard let time = reader.clipTime(packet.presentationTime ?? packet.decodeTime) else { return true }
        return time < end
    }

    func finish(_ output: ([UInt8]) throws -> Void) throws -> SoundEdit? {
        try decoder.send(nil)
        try decodeAll(output)
        try graph?.send(nil)
        try encodeAll(output)
        try encoder.encode(nil, output)
        guard sampleCount > 0 else { return nil }
        return SoundEdit(
            delay: .zero, skippedSamples: Int64(encoder.primingSamples),
            duration: MediaTime(value: sampleCount, timescale: Int32(format.sampleRate)))
    }

    private func decodeAll(_ output: ([UInt8]) throws -> Void) throws {
        while case .frame(let sound) = try decoder.receive() {
            guard let time = reader.clipTime(sound.presentationTime) ?? nextTime else { continue }
            let duration = MediaTime(value: Int64(sound.sampleCount), timescale: Int32(max(sound.sampleRate, 1)))
            nextTime = time + duration
            guard time + duration > start, time < end else { continue }
            guard let graph = try graph(for: sound) else { continue }
            try graph.send(sound.shown(at: (time - start).rescaled(to: Int32(max(sound.sampleRate, 1)))))
            try encodeAll(output)
        }
    }

    /// Nil for sound that cannot be converted, which is left out with a warning: a Live Photo without it is better
    /// than none.
    private func graph(for sound: Frame) throws -> FilterGraph? {
        if let graph {
            if graph.accepts(sound) { return graph }
            warning = "the clip's sound changes its form on the way; the movie's ends there"
            return nil
        }
        do {
            graph = try makeGraph(like: sound)
        } catch let error as LibavError where !error.isOutOfMemory {
            warning = "the clip's sound cannot be converted (\(error.reason)); the movie has none"
        }
        return graph
    }

    private func encodeAll(_ output: ([UInt8]) throws -> Void) throws {
        while let sound = try graph?.receive() {
            sampleCount += Int64(sound.sampleCount)
            try encoder.encode(sound, output)
        }
    }

    /// `first_pts=0` drops what comes before the movie's start and fills a late start with silence; `async` does the
    /// same for gaps on the way; `atrim` cuts at the movie's end.
    private func makeGraph(like sound: Frame) throws -> FilterGraph {
        let length = (end - start).rescaled(to: Int32(format.sampleRate)).value
        let graph = try FilterGraph(
            "aresample=async=1:first_pts=0:min_comp=0.00001:min_hard_comp=0.02"
                + ",aformat=sample_fmts=\(AACEncoder.sampleFormat):sample_rates=\(format.sampleRate)"
                + ":channel_layouts=\(format.channels == 1 ? "mono" : "stereo")"
                + ",atrim=end_sample=\(length)",
            like: try sound.shown(at: MediaTime(value: 0, timescale: Int32(max(sound.sampleRate, 1)))), threads: 1)
        graph.setOutputFrameSize(AACEncoder.samplesPerPacket)
        return graph
    }
}
