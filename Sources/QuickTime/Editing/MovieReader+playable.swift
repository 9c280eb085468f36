import Bytes
import ISOBMFF

extension MovieReader {
    /// Checks that a movie which was found in another file can be played, as far as that shows without decoding it: it has
    /// a video track, and the samples of video and sound are in its media.
    ///
    /// - Parameter strictly: whether the first frame is read as well, which other data would hardly imitate.
    /// - Throws: `MovieEditError`; `ParseError`; `Errno` of pread(2).
    package func checkPlayable(strictly: Bool) throws {
        guard let video = shownVideo, try !video.frameTimes().times.isEmpty else {
            throw MovieEditError.noVideo
        }
        for track in tracks where [.video, .audio].contains(track.kind) {
            if let sample = try firstMisplacedSample(of: track), sample.place != .betweenBoxes {
                throw MovieEditError.misplacedSample(sample, trackID: track.id)
            }
        }
        if strictly { try checkFirstFrame(of: video) }
    }

    /// Checks that the first sample of H.264 or HEVC consists of NAL units (ISO/IEC 14496-15, 5.3.3.2).
    private func checkFirstFrame(of track: Track) throws {
        let entry: VisualSampleEntry? = try track.box.media.information.sampleTable.descriptions.firstEntry()
        let lengthSize = try entry?.configuration?.lengthSize ?? entry?.hevcConfiguration().map { _ in 4 }
        guard let lengthSize, let sample = try track.samples().first(where: { _ in true }) else { return }
        var reader = ByteReader(try bytes(of: sample), structure: "first frame", fileOffset: sample.offset)
        while reader.remaining > 0 {
            let length = try reader.bytes(lengthSize).reduce(0) { $0 << 8 | Int($1) }
            try reader.skip(length)
        }
    }
}
