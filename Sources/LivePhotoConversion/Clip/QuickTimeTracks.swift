import Bytes
import FFmpegKit
import LivePhotoKit
import QuickTime
import StillImage

/// Properties of a QuickTime or MP4 movie's tracks that libavformat does not report.
struct QuickTimeTracks {
    private let reader: MovieReader
    private var tracks: [Track] { reader.tracks }
    /// The still time of a Live Photo's movie, on the movie's timeline.
    let stillTime: MediaTime?

    /// Nil if the movie cannot be read.
    init?(_ file: InputFile) {
        guard let reader = try? MovieReader(file) else { return nil }
        self.reader = reader
        stillTime = (try? reader.stillImageTime())?.time
    }

    /// Until when players show the last picture, on the movie's timeline; nil if that is not known.
    var endOfPictures: MediaTime? { try? reader.shownVideo?.frameTimes().end }

    /// What the camera measured about each frame; nil if that is not recorded, or cannot be read.
    var livePhotoInfo: LivePhotoInfoRecords? {
        reader.livePhotoInfoTrack.flatMap { track in try? reader.livePhotoInfo(of: track) }
    }

    /// Whether there is video but all of it is encrypted. libav rejects some such movies as damaged.
    var hasOnlyEncryptedVideo: Bool {
        let video = tracks.filter { $0.kind == .video }
        return !video.isEmpty && video.allSatisfy(isEncrypted)
    }

    func isEncrypted(_ id: Int) -> Bool { track(id).map(isEncrypted) ?? false }

    /// The clean aperture, which players of such files show. FFmpeg before 7.1 does not report it, and later versions
    /// do not apply it. Nil if the track has none or an invalid one.
    func cleanAperture(_ id: Int, stored: PixelSize) -> CleanAperture? {
        let descriptions = track(id)?.box.media.information.sampleTable.descriptions
        guard let entry: VisualSampleEntry = try? descriptions?.firstEntry(), entry.size == stored else { return nil }
        return entry.cleanAperture.flatMap { CleanAperture($0, stored: stored) }
    }

    /// Whether the track has more than one sample description.
    func hasSeveralDescriptions(_ id: Int) -> Bool {
        (track(id)?.box.media.information.sampleTable.descriptions.entries.count ?? 1) > 1
    }

    /// The duration of the empty edits at the track's start.
    func delay(_ id: Int) -> MediaTime? { try? track(id)?.timeline().delay }

    /// The picture in which the track's edit list begins; nil if it begins with a whole one.
    func cutPicture(_ id: Int) -> CutPicture? {
        guard let track = track(id), track.box.edit?.list != nil else { return nil }
        return CutPicture(track, of: reader)
    }

    /// How the pictures of an animated AVIF or HEIF are turned and mirrored by `irot` and `imir` in their sample
    /// description, which libavformat ignores; nil without them, or if the track has a matrix of its own.
    func codedOrientation(_ id: Int) -> Orientation? {
        guard let track = track(id), track.box.header.matrix == .identity,
            let entry: VisualSampleEntry = try? track.box.media.information.sampleTable.descriptions.firstEntry()
        else { return nil }
        return Orientation(transformations: entry.others.map { ($0.type, $0.reader) })
    }

    /// Whether the track's edit list plays the media at another speed than its own.
    func changesSpeed(_ id: Int) -> Bool {
        track(id)?.box.edit?.list?.entries.contains { $0.mediaTime != nil && $0.rate != 1 << 16 } == true
    }

    /// Whether the track's edit list has an empty edit after a part of the media, which libavformat takes for a part too.
    func hasPause(_ id: Int) -> Bool {
        track(id)?.box.edit?.list?.entries.drop { $0.mediaTime == nil }.contains { $0.mediaTime == nil } == true
    }

    private func track(_ id: Int) -> Track? { tracks.first { $0.id == UInt32(exactly: id) } }

    private func isEncrypted(_ track: Track) -> Bool { (try? track.format())?.isEncrypted ?? false }
}

extension CleanAperture {
    init?(_ box: CleanApertureBox, stored: PixelSize) {
        guard let width = box.width.value, let height = box.height.value,
            let horizontalOffset = box.horizontalOffset.value, let verticalOffset = box.verticalOffset.value,
            width >= 1, height >= 1
        else { return nil }
        let (x, y) = (
            (Double(stored.width) - width) / 2 + horizontalOffset, (Double(stored.height) - height) / 2 + verticalOffset
        )
        guard x >= 0, y >= 0, x + width <= Double(stored.width), y + height <= Double(stored.height) else { return nil }
        self.init(x: x, y: y, width: width, height: height)
    }
}
