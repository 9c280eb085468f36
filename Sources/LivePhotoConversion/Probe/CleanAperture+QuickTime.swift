import Bytes
import FFmpegKit
import LivePhotoKit
import QuickTime

extension CleanAperture {
    /// The clean aperture of a QuickTime or MP4 movie's track, which players of such files show. libav before 7.1 does
    /// not tell it, and later ones leave it to the program to apply.
    ///
    /// Nil where the movie has none, or one that makes no sense: then all is shown.
    init?(ofTrack id: Int, in path: FilePath, stored: PixelSize) {
        guard let reader = try? MovieReader(InputFile(path)),
            let track = reader.tracks.first(where: { $0.kind == .video && $0.id == UInt32(exactly: id) }),
            let entry: VisualSampleEntry = try? track.box.media.information.sampleTable.descriptions.firstEntry(),
            entry.size == stored, let box = entry.cleanAperture
        else { return nil }
        self.init(box, stored: stored)
    }

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
