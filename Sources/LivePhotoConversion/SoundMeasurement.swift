import Bytes
import FFmpegKit
import LivePhotoRequests

/// Measures how loud the sound of a movie is over time.
struct SoundMeasurement: Sendable {
    private let movie: InputFile

    /// - Throws: `LivePhotoError` if the file cannot be opened.
    init(_ movie: FilePath) throws(LivePhotoError) { self.movie = try ConversionFiles.open(movie) }

    /// - Returns: no levels for a movie without sound that can be decoded.
    /// - Throws: `LivePhotoError`.
    func run(_ cancellation: CancellationFlag) throws(LivePhotoError) -> SoundLevels {
        do {
            return try levels(ClipReader(movie, cancellation))
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(
                error, of: movie.path, work: "decode its sound", otherwise: "its sound cannot be measured: \(error)")
        }
    }

    private func levels(_ reader: ClipReader) throws -> SoundLevels {
        var meter = LevelMeter()
        guard let track = reader.audio else { return meter.levels }
        try reader.seek(to: nil)
        reader.demuxer.select(streams: [track.index])
        let decoder = try Decoder(reader.demuxer, stream: track.index, threads: 1)
        var clock = AudioClock(lags: track.codecName.hasPrefix("wma"))
        var packetTime: MediaTime?
        func decodeAll() throws {
            while case .frame(let sound) = try decoder.receive() {
                let duration = MediaTime(
                    value: Int64(sound.sampleCount), timescale: Int32(clamping: max(sound.sampleRate, 1)))
                let stamp = reader.clipTime(sound.presentationTime)
                guard let time = clock.place(stamp, of: packetTime, lasting: duration) else { continue }
                meter.add(sound, at: time)
            }
        }
        let packet = try Packet()
        while try reader.read(into: packet) {
            // Some demuxers ignore the selection of streams.
            guard packet.streamIndex == track.index else { continue }
            for part in try decoder.packets(of: packet) {
                packetTime = reader.clipTime(part.presentationTime ?? part.decodeTime) ?? packetTime
                try decoder.send(part)
                try decodeAll()
            }
        }
        try decoder.send(nil)
        try decodeAll()
        return meter.levels
    }
}
