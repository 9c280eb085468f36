import FFmpegKit
import LivePhotoKit
import QuickTime

/// Decodes any sound, and makes AAC-LC of it that begins with the movie, to the sample.
final class AudioTranscoder: AudioStage {
    let format: AudioFormat
    var warning: String? {
        if let refusal {
            let (what, then) = sampleCount == 0 ? ("the", "the movie has none") : ("some of the", "it is left out")
            return "\(what) clip's sound cannot be converted (\(refusal.reason)); \(then)"
        }
        return isExpected && !hasDecodedInMovie ? "the clip's sound cannot be decoded; the movie has none" : nil
    }
    private let reader: ClipReader
    private let stream: Int
    private let start: MediaTime
    private let end: MediaTime
    private let encoder: AACEncoder
    private let decoder: Decoder
    /// Makes the decoder's sound into the encoder's form; another one where the clip's sound changes its form.
    private var converter: FilterGraph?
    /// The moment that is zero for `converter`.
    private var converterStart: MediaTime
    /// How much sound, silence included, the converters have given.
    private var convertedSamples: Int64 = 0
    /// Cuts converted sound into what the encoder takes at once, and at the movie's end.
    private var blocks: FilterGraph?
    private var sampleCount: Int64 = 0
    private var clock: AudioClock
    /// Whether sound of the movie's time came out of the decoder. Sound from before it, with which decoding begins, does not
    /// count, nor its last part that reaches into the movie.
    private var hasDecodedInMovie = false
    /// The time of the last packet.
    private var packetTime: MediaTime?
    private var refusal: LibavError?
    /// Sound that reaches no further into the movie is not missed.
    private static let shortSound = MediaTime(value: 1, timescale: 10)
    /// Whether the clip has, or declares, sound in the movie's time.
    private var isExpected: Bool

    init(
        _ reader: ClipReader, stream: Int, sampleRate: Int, channels: Int, bitRate: Int, start: MediaTime,
        end: MediaTime
    ) throws {
        encoder = try AACEncoder(sampleRate: sampleRate, channels: channels, bitRate: bitRate)
        decoder = try Decoder(reader.demuxer, stream: stream, threads: 1)
        format = AudioFormat(
            sampleRate: sampleRate, channels: channels, audioSpecificConfig: encoder.configuration,
            framesPerPacket: AACEncoder.samplesPerPacket)
        self.reader = reader
        self.stream = stream
        self.start = start
        self.end = end
        converterStart = start
        clock = AudioClock(lags: reader.audio?.codecName.hasPrefix("wma") == true)
        // Parsers drop what is no sound at all, so that not a packet of it comes.
        if let track = reader.audio, let length = track.duration, let from = reader.clipTime(track.startTime) {
            isExpected = from < end && from + length > start + Self.shortSound
        } else {
            isExpected = false
        }
    }

    func receive(_ packet: Packet, _ output: ([UInt8]) throws -> Void) throws -> Bool {
        let time = reader.clipTime(packet.presentationTime ?? packet.decodeTime)
        if let time, time >= start, time < end { isExpected = true }
        packetTime = time ?? packetTime
        try decoder.send(packet)
        try decodeAll(output)
        return time.map { $0 < end } ?? true
    }

    func finish(_ output: ([UInt8]) throws -> Void) throws -> AudioEdit? {
        try decoder.send(nil)
        try decodeAll(output)
        try finishConverter(output)
        try blocks?.send(nil)
        try encodeAll(output)
        try encoder.encode(nil, output)
        guard sampleCount > 0 else { return nil }
        return AudioEdit(
            delay: .zero, firstSample: encoder.primingSamples,
            duration: MediaTime(value: sampleCount, timescale: Int32(format.sampleRate)))
    }

    private func decodeAll(_ output: ([UInt8]) throws -> Void) throws {
        while case .frame(let sound) = try decoder.receive() {
            let rate = Int32(max(sound.sampleRate, 1))
            let duration = MediaTime(value: Int64(sound.sampleCount), timescale: rate)
            let begin = packetTime ?? start
            if begin >= start || begin + duration > start + Self.shortSound { hasDecodedInMovie = true }
            let stamp = reader.clipTime(sound.presentationTime)
            guard let time = clock.place(stamp, of: packetTime, lasting: duration) else { continue }
            guard time + duration > start, time < end else { continue }
            guard let converter = try converter(for: sound, output) else { continue }
            try converter.send(sound.shown(at: (time - converterStart).rescaled(to: rate)))
            try convertAll(output)
        }
    }

    /// Nil for sound that cannot be converted, which is left out with a warning: a Live Photo without it is better
    /// than none.
    private func converter(for sound: Frame, _ output: ([UInt8]) throws -> Void) throws -> FilterGraph? {
        if let converter, converter.accepts(sound) { return converter }
        try finishConverter(output)
        do {
            converter = try makeConverter(like: sound)
        } catch let error as LibavError where !error.isOutOfMemory {
            refusal = error
        }
        return converter
    }

    /// What comes after it is converted by another, which goes on where this one ended.
    private func finishConverter(_ output: ([UInt8]) throws -> Void) throws {
        try converter?.send(nil)
        try convertAll(output)
        converter = nil
        converterStart = start + time(ofSample: convertedSamples)
    }

    private func convertAll(_ output: ([UInt8]) throws -> Void) throws {
        while let sound = try converter?.receive() {
            let time = time(ofSample: convertedSamples)
            convertedSamples += Int64(sound.sampleCount)
            guard time < end - start else { continue }
            let blocks = try blocks ?? makeBlocks(like: sound)
            self.blocks = blocks
            try blocks.send(sound.shown(at: time))
            try encodeAll(output)
        }
    }

    private func encodeAll(_ output: ([UInt8]) throws -> Void) throws {
        while let sound = try blocks?.receive() {
            sampleCount += Int64(sound.sampleCount)
            try encoder.encode(sound, output)
        }
    }

    private func time(ofSample index: Int64) -> MediaTime {
        MediaTime(value: index, timescale: Int32(format.sampleRate))
    }

    /// `first_pts=0` drops what comes before the converter's start and fills a late start with silence; `async` does
    /// the same for gaps on the way. `rematrix_maxval` mixes 5.1 and the like so that full level in all channels fits.
    private func makeConverter(like sound: Frame) throws -> FilterGraph {
        try FilterGraph(
            "aresample=async=1:first_pts=0:min_comp=0.00001:min_hard_comp=0.008:rematrix_maxval=1"
                + ",aformat=sample_fmts=\(AACEncoder.sampleFormat):sample_rates=\(format.sampleRate)"
                + ":channel_layouts=\(format.channels == 1 ? "mono" : "stereo")",
            like: try sound.shown(at: MediaTime(value: 0, timescale: Int32(max(sound.sampleRate, 1)))), threads: 1)
    }

    private func makeBlocks(like sound: Frame) throws -> FilterGraph {
        let length = (end - start).rescaled(to: Int32(format.sampleRate)).value
        let graph = try FilterGraph("atrim=end_sample=\(length)", like: sound, threads: 1)
        graph.setOutputFrameSize(AACEncoder.samplesPerPacket)
        return graph
    }
}
