import FFmpegKit
import LivePhotoKit
import QuickTime

/// Copies AAC packets; the edit list cuts them to the sample.
final class AudioCopier: AudioStage {
    let format: AudioFormat
    let warning: String? = nil
    private let reader: ClipReader
    private let start: MediaTime
    private let end: MediaTime
    private var firstPacket: MediaTime?
    /// Priming samples, and samples that the clip's edit list cuts from the first packet.
    private var skippedSamples: Int64 = 0
    private var packetCount: Int64 = 0
    /// Packets before the first audible one, which are not needed if none follows.
    private var waiting: [[UInt8]] = []

    /// A decoder needs the packet before the first audible one, and one more that overlaps with it.
    private static let preroll: Int64 = 2

    init(_ reader: ClipReader, format: AudioFormat, start: MediaTime, end: MediaTime) {
        self.format = format
        self.reader = reader
        self.start = start
        self.end = end
    }

    func receive(_ packet: Packet, _ output: ([UInt8]) throws -> Void) throws -> Bool {
        guard let time = reader.clipTime(packet.presentationTime) else { return true }
        if time >= end { return false }
        guard time + samples((1 + Self.preroll) * Int64(format.framesPerPacket)) > start else { return true }
        if firstPacket == nil {
            firstPacket = time
            skippedSamples = packet.skippedSamples
        }
        packetCount += 1
        waiting.append(packet.bytes)
        guard edit != nil else { return true }
        for packet in waiting { try output(packet) }
        waiting.removeAll()
        return true
    }

    func finish(_ output: ([UInt8]) throws -> Void) -> AudioEdit? { edit }

    /// How the packets so far are played; nil if none of them is audible.
    private var edit: AudioEdit? {
        guard let firstPacket else { return nil }
        let from = max(start, firstPacket + samples(skippedSamples))
        let until = min(end, firstPacket + samples(packetCount * Int64(format.framesPerPacket)))
        guard until > from else { return nil }
        return AudioEdit(
            delay: from - start, firstSample: Int((from - firstPacket).rescaled(to: Int32(format.sampleRate)).value),
            duration: until - from)
    }

    private func samples(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: Int32(format.sampleRate)) }
}
