package import Bytes
import FFmpegKit
package import LivePhotoRequests
import QuickTime

/// Encodes the sound of a movie for a motion photo.
package struct SoundConversion: Sendable {
    private let movie: InputFile

    /// Bits a second for two channels.
    private static let bitRate = 128_000

    /// - Throws: `LivePhotoError` if the file cannot be opened.
    package init(_ movie: FilePath) throws(LivePhotoError) {
        do {
            self.movie = try InputFile(movie)
        } catch {
            throw LivePhotoError(reading: movie, error)
        }
    }

    /// Writes a movie with nothing but the sound as AAC-LC, from the start of the movie to its end.
    ///
    /// - Returns: whether there is any sound.
    /// - Throws: `LivePhotoError`.
    package func encode(into output: WritableFile, _ cancellation: CancellationFlag) throws(LivePhotoError) -> Bool {
        do {
            let reader = try ClipReader(movie, cancellation)
            return try encode(reader, into: output)
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(
                error, of: movie.path, work: "encode its sound",
                otherwise: Self.unusable((error as? LibavError)?.reason ?? "\(error)"))
        }
    }

    private func encode(_ reader: ClipReader, into output: WritableFile) throws -> Bool {
        guard reader.hasSoundTrack else { return false }
        guard let track = reader.audio else {
            let reason = reader.hasEncryptedSound ? "it is encrypted" : "no decoder takes it"
            throw LivePhotoError(.unusableMedia, movie.path, Self.unusable(reason))
        }
        let plan = AudioPlan(
            ClipDescription.AudioTrack(stream: track, isContinuous: false), mode: .keep, bitRate: Self.bitRate)
        guard case .encode(let stream, let sampleRate, let channels, let bitRate, _, _) = plan else { return false }
        let end = try reader.demuxer.duration ?? ClipProbe(reader: reader).pictureSpan().end
        try reader.seek(to: nil)
        reader.demuxer.select(streams: [stream])
        let sound = try AudioTranscoder(
            reader, stream: stream, sampleRate: sampleRate, channels: channels, bitRate: bitRate, start: .zero, end: end
        )
        let writer = try SoundWriter(to: OutputFile(rewriting: output), sound.format)
        let packet = try Packet()
        while try reader.read(into: packet) {
            guard packet.streamIndex == stream else { continue }
            guard try sound.receive(packet, writer.append) else { break }
        }
        var edit = try sound.finish(writer.append)
        if let failure = sound.failure { throw LivePhotoError(.unusableMedia, movie.path, Self.unusable(failure)) }
        // The movie's timeline begins before its first picture or sound if both begin with an empty edit.
        edit?.delay = max(reader.zero, .zero)
        guard let edit else { return false }
        try writer.finish(edit.onMovieGrid)
        return true
    }

    private static func unusable(_ reason: String) -> String {
        "its sound cannot become AAC: \(reason); --no-audio leaves the sound out"
    }
}
