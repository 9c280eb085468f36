import FFmpegKit
import LivePhotoKit
import QuickTime

/// Decodes sound and encodes it as AAC-LC that starts exactly with the movie.
final class AudioTranscoder: AudioStage {
    let format: AudioFormat
    var warning: String? { failure ?? length.warning }
    /// Why the movie has no sound, or not all of it: one sentence for the user.
    var failure: String? {
        if let conversionError {
            let (what, then) = sampleCount == 0 ? ("the", "the movie has none") : ("some of the", "it is left out")
            return "\(what) clip's sound cannot be converted (\(conversionError.reason)); \(then)"
        }
        return isExpected && !hasDecodedInMovie ? "the clip's sound cannot be decoded; the movie has none" : nil
    }
    private let reader: ClipReader
    private let start: MediaTime
    private let end: MediaTime
    private let volume: Double
    /// How much faster the movie plays than the clip.
    private let speed: Double
    private let encoder: AACEncoder
    private let decoder: Decoder
    /// Converts the decoder's sound to the encoder's format; replaced if the clip's sound changes its format.
    private var converter: FilterGraph?
    /// Time zero of `converter`.
    private var converterStart: MediaTime
    /// The number of samples from all converters, including silence.
    private var convertedSamples: Int64 = 0
    /// Changes the speed of converted sound; nil if it stays as it is.
    private var stretch: TimeStretch?
    /// Converted sound, whose format the stretched sound has.
    private var converted: Frame?
    /// The number of samples at the speed of the movie.
    private var playedSamples: Int64 = 0
    /// Cuts converted sound at the movie's end and into blocks for the encoder.
    private var blocks: FilterGraph?
    private var sampleCount: Int64 = 0
    private var clock: AudioClock
    private var length: SoundLength
    /// Whether the decoder has output sound within the movie, not only sound before it that reaches into it.
    private var hasDecodedInMovie = false
    /// The time of the last packet.
    private var packetTime: MediaTime?
    private var conversionError: LibavError?
    /// Missing sound of at most this length causes no warning.
    private static let shortSound = MediaTime(value: 1, timescale: 10)
    /// Whether the clip has, or declares, sound within the movie.
    private var isExpected: Bool

    init(
        _ reader: ClipReader, stream: Int, sampleRate: Int, channels: Int, bitRate: Int, volume: Double = 1,
        speed: Double = 1, start: MediaTime, end: MediaTime
    ) throws {
        encoder = try AACEncoder(sampleRate: sampleRate, channels: channels, bitRate: bitRate)
        decoder = try Decoder(reader.demuxer, stream: stream, threads: 1)
        format = AudioFormat(
            sampleRate: sampleRate, channels: channels, audioSpecificConfig: encoder.configuration,
            framesPerPacket: AACEncoder.samplesPerPacket)
        self.reader = reader
        self.start = start
        self.end = end
        self.volume = volume
        self.speed = speed
        converterStart = start
        stretch = speed == 1 ? nil : TimeStretch(speed: speed, sampleRate: sampleRate, channels: channels)
        length = SoundLength(from: start, to: end)
        clock = AudioClock(lags: reader.audio?.codecName.hasPrefix("wma") == true)
        // libavformat's parsers may discard all packets of a damaged stream.
        if let track = reader.audio, let length = track.duration, let from = reader.clipTime(track.startTime) {
            isExpected = from < end && from + length > start + Self.shortSound
        } else {
            isExpected = false
        }
    }

    func receive(_ packet: Packet, _ output: ([UInt8]) throws -> Void) throws -> Bool {
        let time = reader.clipTime(packet.presentationTime ?? packet.decodeTime)
        if let time, time >= start, time < end { isExpected = true }
        if let time, !packet.isDiscarded { length.add(packetAt: time, lasting: packet.duration) }
        for part in try decoder.packets(of: packet) {
            packetTime = reader.clipTime(part.presentationTime ?? part.decodeTime) ?? packetTime
            try decoder.send(part)
            try decodeAll(output)
        }
        return packet.isDiscarded || time.map { $0 < end } ?? true
    }

    func finish(_ output: ([UInt8]) throws -> Void) throws -> AudioEdit? {
        try decoder.send(nil)
        try decodeAll(output)
        try finishConverter(output)
        if let rest = stretch?.finish() { try play(rest, output) }
        try blocks?.send(nil)
        try encodeAll(output)
        try encoder.encode(nil, output)
        guard sampleCount > 0 else { return nil }
        return AudioEdit(
            delay: .zero, firstSample: encoder.primingSamples,
            duration: time(ofSample: sampleCount))
    }

    private func decodeAll(_ output: ([UInt8]) throws -> Void) throws {
        while case .frame(let sound) = try decoder.receive() {
            let rate = Int32(max(sound.sampleRate, 1))
            let duration = MediaTime(value: Int64(sound.sampleCount), timescale: rate)
            let begin = packetTime ?? start
            if begin >= start || begin + duration > start + Self.shortSound { hasDecodedInMovie = true }
            let stamp = reader.clipTime(sound.presentationTime)
            guard let time = clock.place(stamp, of: packetTime, lasting: duration) else { continue }
            length.add(soundAt: time, lasting: duration)
            guard time + duration > start, time < end else { continue }
            guard let converter = try converter(for: sound, output) else { continue }
            try converter.send(sound.shown(at: (time - converterStart).rescaled(to: rate)))
            try convertAll(output)
        }
    }

    /// Nil for sound that cannot be converted, which is left out with a warning: a Live Photo without sound is better
    /// than none.
    private func converter(for sound: Frame, _ output: ([UInt8]) throws -> Void) throws -> FilterGraph? {
        if let converter, converter.accepts(sound) { return converter }
        try finishConverter(output)
        do {
            converter = try makeConverter(like: sound)
        } catch let error as LibavError where !error.isOutOfMemory {
            conversionError = error
        }
        return converter
    }

    /// The next converter continues where this one ended.
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
            converted = sound
            if stretch == nil {
                try play(sound, output)
            } else if let samples = stretch?.add(try sound.planarSamples()) {
                try play(samples, output)
            }
        }
    }

    /// - Parameter samples: those of each channel, at the speed of the movie.
    private func play(_ samples: [[Float]], _ output: ([UInt8]) throws -> Void) throws {
        guard let converted, samples.first?.isEmpty == false else { return }
        try play(Frame(samples: samples, like: converted), output)
    }

    private func play(_ sound: Frame, _ output: ([UInt8]) throws -> Void) throws {
        let blocks = try blocks ?? makeBlocks(like: sound)
        self.blocks = blocks
        try blocks.send(sound.shown(at: time(ofSample: playedSamples)))
        playedSamples += Int64(sound.sampleCount)
        try encodeAll(output)
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

    /// `first_pts=0` drops sound before the converter's start and fills a late start with silence; `async` does the
    /// same for overlaps and gaps. `rematrix_maxval` prevents clipping when surround sound is mixed to stereo.
    private func makeConverter(like sound: Frame) throws -> FilterGraph {
        try FilterGraph(
            "aresample=async=1:first_pts=0:min_comp=0.00001:min_hard_comp=0.008:rematrix_maxval=1"
                + volumeFilters
                + ",aformat=sample_fmts=\(AACEncoder.sampleFormat):sample_rates=\(format.sampleRate)"
                + ":channel_layouts=\(format.channels == 1 ? "mono" : "stereo")",
            like: try sound.shown(at: MediaTime(value: 0, timescale: Int32(max(sound.sampleRate, 1)))), threads: 1)
    }

    /// A limiter keeps louder sound from clipping, without delaying it.
    private var volumeFilters: String {
        guard volume != 1 else { return "" }
        return ",volume=\(volume):precision=float"
            + (volume > 1 ? ",alimiter=limit=0.97:attack=1:release=50:level=0:latency=1" : "")
    }

    private func makeBlocks(like sound: Frame) throws -> FilterGraph {
        let duration = MediaTime(seconds: (end - start).seconds / speed, timescale: 1_000_000)
        let length = (speed == 1 ? end - start : duration).rescaled(to: Int32(format.sampleRate)).value
        let graph = try FilterGraph("atrim=end_sample=\(length)", like: sound, threads: 1)
        graph.setOutputFrameSize(AACEncoder.samplesPerPacket)
        return graph
    }
}
