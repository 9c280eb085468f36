import FFmpegKit
import MediaModel
import QuickTime

/// A picture of a QuickTime or MP4 movie within which the edit list begins, so that players show the rest of it first.
/// libavformat hides it, and moves all pictures, but not the sound, so that the next one is at the start.
struct CutPicture {
    /// When it would be shown without the edit list, on the movie's timeline: before `start`.
    private let time: MediaTime
    /// Where the media begins on the movie's timeline.
    private let start: MediaTime
    /// How much too early libavformat shows the other pictures.
    let shift: MediaTime

    /// Nil if the edit list cuts no picture, and for movies with fragments, whose pictures libavformat does not move.
    init?(_ track: Track, of reader: MovieReader) {
        guard !reader.isFragmented, let start = try? track.timeline().delay, let cut = try? track.cutFrame() else {
            return nil
        }
        (time, self.start, shift) = (cut.time, start, cut.next - start)
    }

    /// Gives a packet of the pictures the time that it has for players.
    func correct(_ packet: Packet) {
        packet.delay(by: shift)
        guard packet.isDiscarded, packet.presentationTime == time else { return }
        packet.clearDiscard()
        packet.present(at: start)
    }
}
