import FFmpegKit
import LivePhotoKit

/// Turns the clip's sound packets into the movie's AAC access units.
protocol SoundStage: AnyObject {
    /// What the movie's audio track declares.
    var format: SoundFormat { get }

    /// What the user may want to know of sound that is missing from the movie: one sentence.
    var warning: String? { get }

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
