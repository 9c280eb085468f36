import FFmpegKit
import LivePhotoKit

/// Turns the clip's sound packets into the movie's AAC access units.
protocol SoundStage: AnyObject {
    /// What the movie's audio track declares.
    var format: SoundFormat { get }

    /// Takes a packet of the sound's stream and gives `output` the access units that are ready.
    ///
    /// - Returns: whether more packets are wanted.
    func receive(_ packet: Packet, _ output: ([UInt8]) throws -> Void) throws -> Bool

    /// Gives `output` the last access units.
    ///
    /// - Returns: how the movie plays what was given; nil when there is no sound in the window.
    func finish(_ output: ([UInt8]) throws -> Void) throws -> SoundEdit?
}

struct SoundFormat: Sendable, Hashable {
    let sampleRate: Int
    let channels: Int
    /// AAC's AudioSpecificConfig.
    let configuration: [UInt8]
    /// Bits a second; 0 when unknown.
    let bitRate: Int
}

/// Which part of the audio track's media is heard, and when.
struct SoundEdit: Sendable, Hashable {
    /// How long after the movie's start the sound begins.
    let delay: MediaTime
    /// Samples at the front of the media that are not heard.
    let skippedSamples: Int64
    /// How long the sound lasts.
    let duration: MediaTime
}

/// Keeps AAC packets as they are; the edit list cuts them to the sample.
final class SoundCopier: SoundStage {
    let format: SoundFormat
    private let reader: ClipReader
    private let start: MediaTime
    private let end: MediaTime
    private var firstPacket: MediaTime?
    private var packetCount: Int64 = 0
    /// Packets before the first that is heard: without it they are not needed.
    private var waiting: [[UInt8]] = []

    /// A decoder needs the packet before the first that is heard, and one more to have overlapped with it.
    private static let preroll: Int64 = 2

    init(_ reader: ClipReader, format: AACFormat, start: MediaTime, end: MediaTime) {
        self.format = SoundFormat(
            sampleRate: format.sampleRate, channels: format.channels, configuration: format.configuration, bitRate: 0)
        self.reader = reader
        self.start = start
        self.end = end
    }

    func receive(_ packet: Packet, _ output: ([UInt8]) throws -> Void) throws -> Bool {
        guard let time = reader.clipTime(packet.presentationTime) else { return true }
        if time >= end { return false }
        guard time + samples((1 + Self.preroll) * Int64(AACFormat.samplesPerPacket)) > start else { return true }
        firstPacket = firstPacket ?? time
        packetCount += 1
        waiting.append(packet.bytes)
        guard edit != nil else { return true }
        for packet in waiting { try output(packet) }
        waiting.removeAll()
        return true
    }

    func finish(_ output: ([UInt8]) throws -> Void) -> SoundEdit? { edit }

    /// How the packets so far are played; nil while nothing of them is heard.
    private var edit: SoundEdit? {
        guard let firstPacket else { return nil }
        let from = max(start, firstPacket)
        let until = min(end, firstPacket + samples(packetCount * Int64(AACFormat.samplesPerPacket)))
        guard until > from else { return nil }
        return SoundEdit(
            delay: from - start, skippedSamples: (from - firstPacket).rescaled(to: Int32(format.sampleRate)).value,
            duration: until - from)
    }

    private func samples(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: Int32(format.sampleRate)) }
}

/// Decodes any sound, and makes AAC-LC of it that begins with the movie, to the sample.
final class SoundEncoder: SoundStage {
    let format: SoundFormat
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
            let graph = try self.graph ?? makeGraph(like: sound)
            self.graph = graph
            // Sound that changes its rate or layout on the way is left out from there on.
            guard graph.accepts(sound) else { continue }
            try graph.send(sound.shown(at: (time - start).rescaled(to: Int32(max(sound.sampleRate, 1)))))
            try encodeAll(output)
        }
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
