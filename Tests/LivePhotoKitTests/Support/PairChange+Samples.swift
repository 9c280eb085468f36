import Bytes
import LivePhotoKit
import MediaModel
import QuickTime
import StillImage
import SystemPackage
import TestSupport

extension PairChange {
    /// What links a sample pair in place.
    init(linking photo: FilePath, _ movie: FilePath, identifier: ContentIdentifier) throws {
        let edit = try MovieEdit(
            linking: MovieReader(InputFile(movie)), contentIdentifier: identifier,
            stillTime: MediaTime(value: SamplePair.stillTime, timescale: 600))
        let old = try InputFile(photo).contents(limit: 1 << 20)
        self.init(
            photo: photo, newPhoto: try PhotoEditor(old).applying(ExifUpdate(contentIdentifier: .set(identifier))),
            movie: movie, movieChanges: try edit.changesInPlace())
    }

    /// The steps up to each place at which they can end: after each, and in the midst of each longer write.
    var brokenOff: [[Step]] {
        steps.indices.flatMap { index -> [[Step]] in
            let before = Array(steps[..<index])
            guard case .movie(.write(let bytes, let offset)) = steps[index], bytes.count > 8 else { return [before] }
            return [before]
                + [8, bytes.count - 1].map { before + [.movie(.write(Array(bytes.prefix($0)), at: offset))] }
        } + [steps]
    }
}
