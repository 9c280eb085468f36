import FFmpegKit
import QuickTime

/// Turns the clip's sound packets into the movie's AAC access units.
protocol AudioStage: AnyObject {
    /// What the movie's audio track declares.
    var format: AudioFormat { get }

    /// What the user may want to know of sound that is missing from the movie: one sentence.
    var warning: String? { get }

    /// Takes a packet of the sound's stream and gives `output` the access units that are ready.
    ///
    /// - Returns: whether more packets are wanted.
    func receive(_ packet: Packet, _ output: ([UInt8]) throws -> Void) throws -> Bool

    /// Gives `output` the last access units.
    ///
    /// - Returns: how the movie plays what was given; nil when there is no sound in the window.
    func finish(_ output: ([UInt8]) throws -> Void) throws -> AudioEdit?
}
