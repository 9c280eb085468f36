import FFmpegKit
package import LivePhotoRequests
import MediaModel
package import QuickTime

/// How the movie's audio is made from the clip's.
package enum AudioPlan: Sendable, Hashable {
    case none
    /// AAC-LC that Apple devices play is copied packet by packet and cut by the edit list.
    case copy(stream: Int, format: AudioFormat)
    /// Any other audio, or one that becomes louder or softer by the factor `volume` or plays `speed` times as fast at the same
    /// pitch, is decoded and encoded as AAC-LC.
    case encode(stream: Int, sampleRate: Int, channels: Int, bitRate: Int, volume: Double = 1, speed: Double = 1)

    /// The stream of the clip that is read.
    package var stream: Int? {
        switch self {
        case .none: nil
        case .copy(let stream, _), .encode(let stream, _, _, _, _, _): stream
        }
    }

    /// - Parameters:
    ///   - volume: nil keeps that of the clip; 0 leaves the sound out.
    ///   - motion: an effect that plays the frames in another order leaves the sound out.
    package init(
        _ track: ClipDescription.AudioTrack?, mode: AudioMode, bitRate: Int, volume: AudioVolume? = nil,
        motion: Motion = Motion()
    ) {
        let volume = volume?.factor ?? 1
        let speed = motion.speed?.factor ?? 1
        guard mode == .keep, volume > 0, motion.effect?.reordersFrames != true, let track,
            let parameters = track.stream.audio
        else {
            self = .none
            return
        }
        if track.isContinuous, volume == 1, speed == 1, let format = AudioFormat(playable: parameters) {
            self = .copy(stream: track.stream.index, format: format)
            return
        }
        let rate = Self.sampleRate(for: parameters.sampleRate)
        let channels = parameters.channels == 1 ? 1 : 2
        // The preset's bit rate is for stereo.
        self = .encode(
            stream: track.stream.index, sampleRate: rate, channels: channels,
            bitRate: channels == 1 ? max(bitRate / 2, BitRate.lowest) : bitRate, volume: volume, speed: speed)
    }

    /// 44.1 kHz for its family (11.025, 22.05, 88.2 …), 48 kHz for any other rate.
    private static func sampleRate(for source: Int) -> Int {
        source > 0 && (source.isMultiple(of: 44_100) || 44_100.isMultiple(of: source)) ? 44_100 : 48_000
    }
}

extension AudioPlan: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "none"
        case .copy(_, let format): "AAC, copied, \(format.sampleRate) Hz, \(Self.layout(format.channels))"
        case .encode(_, let sampleRate, let channels, let bitRate, let volume, let speed):
            "AAC-LC at \(bitRate / 1000) kbit/s, \(sampleRate) Hz, \(Self.layout(channels))"
                + (volume == 1 ? "" : ", \(decimal(volume, places: 2)) times as loud")
                + (speed == 1 ? "" : ", \(decimal(speed, places: 2)) times as fast")
        }
    }

    private static func layout(_ channels: Int) -> String { channels == 1 ? "mono" : "stereo" }
}

extension AudioFormat {
    /// The sampling rates that every Apple device plays, by samplingFrequencyIndex (ISO/IEC 14496-3, table 1.18).
    private static let samplingFrequencies: [UInt16: Int] = [3: 48_000, 4: 44_100]

    /// AAC-LC that every Apple device plays, with one or two channels at 44.1 or 48 kHz. Nil for any other audio: other
    /// object types, spectral band replication, 960 samples a packet.
    init?(playable parameters: AudioParameters) {
        guard let configuration = parameters.aacLCConfiguration, configuration.count >= 2,
            parameters.channels == 1 || parameters.channels == 2
        else { return nil }
        // 5 bits object type (2 is LC), 4 bits rate, 4 bits channels, 1 bit 960 samples, 1 bit core coder,
        // 1 bit extension; then perhaps 11 bits 0x2B7, 5 bits object type 5, 1 bit "SBR present".
        let first = UInt16(configuration[0]) << 8 | UInt16(configuration[1])
        let channelConfiguration = Int(first >> 3 & 0xF)
        // With implicit spectral band replication, the stream's rate differs from the configured one.
        let rate = Self.samplingFrequencies[first >> 7 & 0xF]
        guard first >> 11 == 2, first & 0b111 == 0, channelConfiguration == parameters.channels,
            rate == parameters.sampleRate
        else { return nil }
        if configuration.count >= 5 {
            let hasSync = configuration[2] == 0x56 && configuration[3] >> 5 == 0b111
            guard hasSync, configuration[4] & 0x80 == 0 else { return nil }
        }
        self.init(
            sampleRate: parameters.sampleRate, channels: parameters.channels, audioSpecificConfig: configuration)
    }
}
