import FFmpegKit
import QuickTime

/// Converts the clip's audio packets to the movie's AAC access units.
protocol AudioStage: AnyObject {
    /// The format of the movie's audio track.
    var format: AudioFormat { get }

    /// One sentence for the user about missing sound; nil if none is missing.
    var warning: String? { get }

    /// Processes a packet and calls `output` with each finished access unit.
    ///
    /// - Returns: whether more packets are needed.
    func receive(_ packet: Packet, _ output: ([UInt8]) throws -> Void) throws -> Bool

    /// Calls `output` with the last access units.
    ///
    /// - Returns: how the movie plays the access units; nil if the window has no sound.
    func finish(_ output: ([UInt8]) throws -> Void) throws -> AudioEdit?
}
